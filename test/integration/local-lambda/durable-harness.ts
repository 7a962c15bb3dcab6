import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { build } from "esbuild";
import { expect } from "vitest";
import { type AwsEndpoint, startAwsEndpoint } from "../../../infra/local/aws/aws-endpoint.ts";
import { type Credentials, newCredentials } from "../../../infra/local/aws/credentials.ts";
import { SkippableClock } from "../../../infra/local/lambda/durable/clock.ts";
import type { DurableEngine } from "../../../infra/local/lambda/durable/durable-engine.ts";
import { startDurableFunctions } from "../../../infra/local/lambda/durable/start-durable-functions.ts";
import { LambdaService } from "../../../infra/local/lambda/lambda-service.ts";
import type { Application } from "../../../infra/local/template/application.ts";
import { MemoryLog } from "./function-on-disk.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Bundles a handler, with the SDK as it is published.
 *
 * @returns the folder that has its `index.cjs`.
 */
export async function bundleHandler(contents: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "local-durable-"));
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    outfile: join(folder, "index.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    mainFields: ["module", "main"],
    logLevel: "silent",
  });
  return folder;
}

export interface DurableStack {
  readonly endpoint: AwsEndpoint;
  readonly engine: DurableEngine;
  readonly clock: SkippableClock;
  readonly client: LambdaClient;
  /** A client of another caller, which is allowed these actions on this resource. */
  readonly clientWho: (actions: readonly string[], resource: string) => LambdaClient;
  readonly start: (name: string, payload?: object) => Promise<string>;
  readonly invoked: (arn: string, times: number) => Promise<void>;
  readonly did: (functionName: "Durable" | "Watcher") => readonly string[];
  readonly stop: () => Promise<void>;
}

export async function until(check: () => boolean): Promise<void> {
  while (!check()) await pause(5);
}

/** Runs the functions of the application behind Lambda's API; their clock goes on by itself and may be put forward. */
export async function startDurableStack(app: Application, dynamoDbUrl: string): Promise<DurableStack> {
  const started = Promise.withResolvers<LambdaService>();
  const dynamoDb = new URL(dynamoDbUrl);
  const endpoint = await startAwsEndpoint({
    dynamoDbLocal: { port: Number(dynamoDb.port), url: dynamoDbUrl, stop: async () => undefined },
    crashWorker: ({ functionName, worker }) =>
      void started.promise.then((service) => service.crash(functionName, worker ?? "")),
  });
  const register = (functionName: string, policies: readonly unknown[]): Credentials => {
    const credentials = newCredentials();
    endpoint.principals.register({ ...credentials, functionName, policies });
    return credentials;
  };
  const roles = new Map(app.functions.map((fn) => [fn.address, register(fn.shortName, fn.role.policies)]));
  const lambda = new LambdaService({
    functions: app.functions,
    credentialsOf: ({ address }) => roles.get(address) ?? newCredentials(),
    awsEndpointUrl: endpoint.url,
    addresses: [],
    log: new MemoryLog(),
  });
  started.resolve(lambda);
  const clock = new SkippableClock();
  const sendToQueue = (arn: string, body: string): void => {
    endpoint.sendMessage(arn.split(":").at(-1) ?? "", body);
  };
  const engine = startDurableFunctions({ app, lambda, clock, sendToQueue });
  endpoint.useLambda({ functions: app.functions, lambda, engine, clock });
  const clients: LambdaClient[] = [];
  const clientOf = (credentials: Credentials): LambdaClient => {
    const made = new LambdaClient({
      endpoint: endpoint.url,
      region: endpoint.region,
      credentials,
      maxAttempts: 1,
    });
    clients.push(made);
    return made;
  };
  const client = clientOf(endpoint.admin);
  const didFile = (name: string): string =>
    join(app.functions.find(({ logicalId }) => logicalId === name)?.folder ?? "", "did");
  for (const { logicalId } of app.functions) writeFileSync(didFile(logicalId), "");
  return {
    endpoint,
    engine,
    clock,
    client,
    clientWho: (Action, Resource) =>
      clientOf(register("caller", [{ Statement: [{ Effect: "Allow", Action, Resource }] }])),
    start: async (name, payload = {}) => {
      const answer = await client.send(
        new InvokeCommand({
          FunctionName: "stack-Durable:live",
          InvocationType: "Event",
          DurableExecutionName: name,
          Payload: JSON.stringify(payload),
        }),
      );
      expect(answer).toMatchObject({ StatusCode: 202, ExecutedVersion: "1" });
      return answer.DurableExecutionArn ?? "";
    },
    invoked: async (arn, times) =>
      await until(() => {
        const { events } = engine.get(arn).history;
        return events.filter(({ EventType }) => EventType === "InvocationCompleted").length >= times;
      }),
    did: (name) => {
      const file = didFile(name);
      return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    },
    stop: async () => {
      engine.stop();
      clock.stop();
      for (const each of clients) each.destroy();
      await lambda.stop();
      await endpoint.stop();
    },
  };
}
