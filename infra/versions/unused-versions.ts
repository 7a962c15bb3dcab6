import {
  DeleteFunctionCommand,
  type LambdaClient,
  ListDurableExecutionsByFunctionCommand,
  paginateListAliases,
  paginateListVersionsByFunction,
} from "@aws-sdk/client-lambda";

export interface VersionUse {
  readonly version: string;
  readonly use: "named by an alias" | "has open executions" | "unused";
}

/**
 * Each published version of a durable function, oldest first, and who needs it. Executions are started by an alias only,
 * so a version without one and without open executions gets none any more.
 */
export async function listVersionUses(
  client: LambdaClient,
  functionName: string,
): Promise<readonly VersionUse[]> {
  const named = await aliasedVersions(client, functionName);
  const uses: VersionUse[] = [];
  for await (const page of paginateListVersionsByFunction({ client }, { FunctionName: functionName })) {
    for (const { Version: version = "$LATEST" } of page.Versions ?? []) {
      if (version === "$LATEST") continue;
      if (named.has(version)) uses.push({ version, use: "named by an alias" });
      else {
        const isOpen = await hasOpenExecutions(client, functionName, version);
        uses.push({ version, use: isOpen ? "has open executions" : "unused" });
      }
    }
  }
  return uses;
}

export async function removeVersion(
  client: LambdaClient,
  functionName: string,
  version: string,
): Promise<void> {
  await client.send(new DeleteFunctionCommand({ FunctionName: functionName, Qualifier: version }));
}

async function aliasedVersions(client: LambdaClient, functionName: string): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for await (const page of paginateListAliases({ client }, { FunctionName: functionName })) {
    for (const { FunctionVersion: version, RoutingConfig: routing } of page.Aliases ?? []) {
      if (version !== undefined) named.add(version);
      for (const other of Object.keys(routing?.AdditionalVersionWeights ?? {})) named.add(other);
    }
  }
  return named;
}

async function hasOpenExecutions(
  client: LambdaClient,
  functionName: string,
  version: string,
): Promise<boolean> {
  const { DurableExecutions: open = [] } = await client.send(
    new ListDurableExecutionsByFunctionCommand({
      FunctionName: functionName,
      Qualifier: version,
      Statuses: ["RUNNING"],
      MaxItems: 1,
    }),
  );
  return open.length > 0;
}
