import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { functionEnvironment } from "../../infra/bundle/function-environment.ts";
import { bundleFunctions } from "../../infra/bundle.ts";
import { issueApiKey } from "../../infra/keys/issue-api-key.ts";
import { startDynamoDbLocal } from "../../infra/local/aws/dynamodb/dynamodb-local.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { aMachine } from "../support/builders/entities.ts";
import { createTestTable } from "../support/table.ts";
import { type Figure, milliseconds } from "./figure.ts";
import type { HandlerRounds, HandlerTimes } from "./handler-rounds.ts";
import { sized } from "./sized.ts";

const warmUp = sized(1_500, 2);
const rounds = sized(3_000, 5);
const ratioMax = 1.1;
const source = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * GET of one machine with an API key, by the bundle that is shipped, and the same read by a bare handler bundled in
 * the same way; in turns in one process, on DynamoDB Local.
 */
export async function measureHandler(): Promise<readonly Figure[]> {
  await mkdir(source("../../.build"), { recursive: true });
  const outDir = await mkdtemp(source("../../.build/bench-"));
  const dynamoDb = await startDynamoDbLocal();
  try {
    const entryPoints = {
      machines: source("../../functions/machines/index.ts"),
      bare: source("./bare-read-handler.ts"),
    };
    const bundles = await bundleFunctions({ outDir, entryPoints });
    const fileOf = (name: string) => bundles.find((bundle) => bundle.name === name)?.file ?? "";
    const { client, tableName } = await createTestTable(dynamoDb.url);
    const { organizationId, event } = await seed(client, tableName);
    client.destroy();
    const { functionMs, bareMs } = await inTurns(
      { functionFile: fileOf("machines"), bareFile: fileOf("bare"), event, warmUp, rounds },
      { AWS_ENDPOINT_URL: dynamoDb.url, TABLE_NAME: tableName, ORGANIZATION_ID: organizationId },
    );
    const ratio = functionMs / bareMs;
    return [
      {
        figure: `GET machine, warm handler / bare read with the SDK, medians of ${rounds} in turns`,
        measured: `${milliseconds(functionMs)} / ${milliseconds(bareMs)} = ${ratio.toFixed(2)}`,
        target: `at most ${ratioMax}`,
        isReached: ratio <= ratioMax,
      },
    ];
  } finally {
    await dynamoDb.stop();
    await rm(outDir, { recursive: true, force: true });
  }
}

/** A machine with what machines have in use, and the event of a GET for it. */
async function seed(client: DynamoDBClient, tableName: string) {
  const machine = aMachine({
    name: "Accounting 7",
    version: "1.4.2",
    hostname: "acc-7.example.internal",
    osInfo: "Debian GNU/Linux 13",
    parameters: { region: "eu", printer: "HP-2", retries: 3 },
    sensitiveAliases: ["erp_password"],
    secretName: `das/bench/${randomUUID()}`,
  });
  const { organizationId } = machine;
  await new DynamoMachineStore({ table: new DynamoTable({ client, tableName, clock }), clock }).create(
    machine,
  );
  const { key } = await issueApiKey({ client, tableName, organizationId, scopes: ["read"], name: "bench" });
  return { organizationId, event: eventOf(machine.id, key) };
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
function eventOf(machineId: string, key: string) {
  const path = `/v1/machines/${machineId}`;
  const domainName = "a1b2c3d4e5.execute-api.us-east-1.amazonaws.com";
  return {
    version: "2.0",
    routeKey: "GET /v1/machines/{machine_id}",
    rawPath: path,
    rawQueryString: "",
    headers: {
      accept: "*/*",
      authorization: `Bearer ${key}`,
      "content-length": "0",
      host: domainName,
      "user-agent": "bench/1.0",
      "x-amzn-trace-id": "Root=1-5e6722a7-cc56xmpl46db7ae02d4da47e",
      "x-forwarded-for": "192.0.2.7",
      "x-forwarded-port": "443",
      "x-forwarded-proto": "https",
    },
    requestContext: {
      accountId: "123456789012",
      apiId: "a1b2c3d4e5",
      domainName,
      domainPrefix: "a1b2c3d4e5",
      http: { method: "GET", path, protocol: "HTTP/1.1", sourceIp: "192.0.2.7", userAgent: "bench/1.0" },
      requestId: "JKJaXmPLvHcESHA=",
      routeKey: "GET /v1/machines/{machine_id}",
      stage: "$default",
      time: "10/Mar/2026:05:16:23 +0000",
      timeEpoch: 1_773_119_783_636,
    },
    pathParameters: { machine_id: machineId },
    isBase64Encoded: false,
  };
}

async function inTurns(
  what: HandlerRounds,
  environment: Readonly<Record<string, string>>,
): Promise<HandlerTimes> {
  const child = fork(source("./handler-rounds.ts"), [JSON.stringify(what)], {
    env: { PATH: process.env.PATH, ...functionEnvironment, ...environment },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  child.stdout?.resume();
  const answered = once(child, "message") as Promise<[HandlerTimes]>;
  const ended = once(child, "exit").then(() => undefined);
  const message = await Promise.race([answered, ended]);
  if (message === undefined) throw new Error("the handlers could not be measured");
  await ended;
  return message[0];
}
