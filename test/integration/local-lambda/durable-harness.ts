import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { build } from "esbuild";
import { type AwsEndpoint, startAwsEndpoint } from "../../../infra/local/aws/aws-endpoint.ts";
import { newCredentials } from "../../../infra/local/aws/credentials.ts";
import { SkippableClock } from "../../../infra/local/lambda/durable/clock.ts";
import type { DurableEngine } from "../../../infra/local/lambda/durable/durable-engine.ts";
import { startDurableFunctions } from "../../../infra/local/lambda/durable/start-durable-functions.ts";
import type { LambdaService } from "../../../infra/local/lambda/lambda-service.ts";
import type { Application, DurableModel, FunctionModel } from "../../../infra/local/template/application.ts";
import { functionOnDisk, serviceOf } from "./function-on-disk.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Bundles a handler with the SDK as it is published. */
export async function bundleHandler(source: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "local-durable-"));
  await build({
    stdin: { contents: source, resolveDir: root, loader: "ts" },
    outfile: join(folder, "index.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    mainFields: ["module", "main"],
    logLevel: "silent",
  });
  return folder;
}

export type Statement = { readonly Action: string | readonly string[]; readonly Resource: string };

const functionArn = "arn:aws:lambda:us-east-1:000000000000:function:stack-Sample";

/** What a durable function's role has to have. */
export const ownExecutions: Statement = {
  Action: ["lambda:CheckpointDurableExecution", "lambda:GetDurableExecutionState"],
  Resource: `${functionArn}:*`,
};

export interface DurableStack {
  readonly endpoint: AwsEndpoint;
  readonly lambda: LambdaService;
  readonly engine: DurableEngine;
  readonly clock: SkippableClock;
  readonly client: LambdaClient;
  /** A client of another caller, whose role has these grants and no others. */
  readonly clientOf: (grants: readonly Statement[]) => LambdaClient;
  readonly stop: () => Promise<void>;
}

export interface DurableStackInput {
  /** From `bundleHandler`. */
  readonly folder: string;
  readonly fn?: Partial<FunctionModel>;
  readonly durable?: Partial<DurableModel>;
  readonly eventRules?: Application["eventRules"];
  readonly grants?: readonly Statement[];
  readonly dynamoDbUrl: string;
}

/** One durable function, `Sample`, with version 1 and the alias `live`, behind Lambda's API. */
export async function startDurableStack(input: DurableStackInput): Promise<DurableStack> {
  const fn: FunctionModel = {
    ...functionOnDisk("", { folder: input.folder, versions: ["1"], aliases: { live: "1" } }),
    ...input.fn,
    durable: {
      ...{
        executionTimeoutSeconds: 600,
        retentionDays: 1,
        deadLetterArn: undefined,
        onFailureArn: undefined,
      },
      ...input.durable,
    },
  };
  const crashing = Promise.withResolvers<LambdaService>();
  const endpoint = await startAwsEndpoint({
    dynamoDbLocal: {
      port: Number(new URL(input.dynamoDbUrl).port),
      url: input.dynamoDbUrl,
      stop: async () => undefined,
    },
    crashWorker: ({ functionName, worker }) =>
      void crashing.promise.then((service) => service.crash(functionName, worker ?? "")),
  });
  const credentials = newCredentials();
  const Statement = (input.grants ?? [ownExecutions]).map((grant) => ({ Effect: "Allow", ...grant }));
  endpoint.principals.register({ ...credentials, functionName: fn.shortName, policies: [{ Statement }] });
  const lambda = serviceOf(fn, { awsEndpointUrl: endpoint.url, credentialsOf: () => credentials });
  crashing.resolve(lambda);
  const clock = new SkippableClock();
  const engine = startDurableFunctions({
    app: { functions: [fn], eventRules: input.eventRules ?? [] },
    lambda,
    clock,
    sendToQueue: (arn, body) => void endpoint.sendMessage(arn.split(":").at(-1) ?? "", body),
  });
  endpoint.useLambda({ functions: [fn], lambda, engine, clock });
  const clients: LambdaClient[] = [];
  const clientWith = (of: typeof credentials): LambdaClient => {
    const made = new LambdaClient({
      endpoint: endpoint.url,
      region: "us-east-1",
      credentials: of,
      maxAttempts: 1,
    });
    clients.push(made);
    return made;
  };
  return {
    ...{ endpoint, lambda, engine, clock },
    client: clientWith(endpoint.admin),
    clientOf: (grants) => {
      const own = newCredentials();
      const policy = { Statement: grants.map((grant) => ({ Effect: "Allow", ...grant })) };
      endpoint.principals.register({ ...own, functionName: "caller", policies: [policy] });
      return clientWith(own);
    },
    stop: async () => {
      engine.stop();
      clock.stop();
      for (const client of clients) client.destroy();
      await lambda.stop();
      await endpoint.stop();
    },
  };
}
