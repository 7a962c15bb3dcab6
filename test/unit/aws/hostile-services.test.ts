import {
  ApiGatewayManagementApiClient,
  type PostToConnectionCommand,
} from "@aws-sdk/client-apigatewaymanagementapi";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { describe, expect, it } from "vitest";
import { isAway } from "../../../shared/aws/aws-failure.ts";
import { bounded } from "../../../shared/aws/bounded.ts";
import { clientSettings } from "../../../shared/aws/client-settings.ts";
import { createDynamoDbClient } from "../../../shared/aws/dynamodb-client.ts";
import { createEventBridgeClient } from "../../../shared/aws/event-bridge-client.ts";
import { createLambdaClient } from "../../../shared/aws/lambda-client.ts";
import { createS3Client } from "../../../shared/aws/s3-client.ts";
import { createSecretsManagerClient } from "../../../shared/aws/secrets-manager-client.ts";
import { createSqsClient } from "../../../shared/aws/sqs-client.ts";
import { S3FileStore } from "../../../shared/files/s3-file-store.ts";
import { ApiGatewaySocketGateway } from "../../../shared/tunnel/api-gateway-socket-gateway.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { allHostile, type HostileBehaviour, startHostileServer } from "../../support/hostile-server.ts";

const bounds = { timeoutMs: 100, bytesMax: 2_000_000 };
/** Loopback keeps some more than is read. */
const sentBytesMax = 16_000_000;
const secretAccessKey = "a-secret-access-key";

const settingsOf = (endpoint: string) => ({
  ...clientSettings,
  requestHandler: { ...clientSettings.requestHandler, requestTimeout: 100 },
  maxAttempts: 1,
  endpoint,
  region: "eu-central-1",
  credentials: { accessKeyId: "AKIATESTTESTTEST0001", secretAccessKey },
});

type Behaviours = readonly HostileBehaviour[];
const statusAlone: Behaviours = [
  "sends more than its length",
  "sends garbage for JSON",
  "sends JSON of another shape",
  "sends JSON a hundred thousand deep",
];
const statusAndSize: Behaviours = [...statusAlone, "sends a gigabyte compressed"];
const headersAlone: Behaviours = [
  ...statusAndSize,
  "drips its body",
  "closes in the middle of its body",
  "closes in the middle of a chunk",
  "sends less than its length",
  "sends a body without end",
];

/** Operations of the bucket, each with the replies that it takes as they are. */
const bucketOperations: Readonly<
  Record<string, readonly [(files: S3FileStore) => Promise<unknown>, Behaviours]>
> = {
  get: [(files) => files.get("key", 1_000_000), statusAlone],
  put: [(files) => files.put("tunnel/key", new Uint8Array(3), "text/plain"), statusAndSize],
  remove: [(files) => files.remove("key"), statusAndSize],
  size: [(files) => files.size("key"), headersAlone],
  has: [(files) => files.has("key"), []],
  list: [(files) => files.list("key", ""), []],
  tableOf: [(files) => files.tableOf("key"), []],
};

describe.each(Object.entries(bucketOperations))("the bucket's %s", (_name, [act, taken]) => {
  it.each(allHostile)("ends in its time and as unavailable where the bucket %s", async (behaviour) => {
    const peer = await startHostileServer(behaviour);
    const client = bounded(
      new S3Client({
        ...settingsOf(peer.url),
        forcePathStyle: true,
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
      }),
      bounds,
    );
    const outcome = await act(new S3FileStore({ client, bucket: "bucket" })).then(
      () => "taken",
      (error: unknown) => error,
    );
    client.destroy();
    if (taken.includes(behaviour)) expect(outcome).toBe("taken");
    // A body without a length may be of any.
    else
      expect(outcome).toMatchObject({
        code: expect.stringMatching(/^(service_unavailable|answer_too_large)$/),
      });
    expect(peer.strayed()).toBe("");
    expect(peer.sentBytes()).toBeLessThan(sentBytesMax);
  });
});

describe.each(["table", "secrets"] as const)("a read of the %s", (service) => {
  it.each(allHostile)("ends in its time, as away, where the service %s", async (behaviour) => {
    const peer = await startHostileServer(behaviour);
    const settings = settingsOf(peer.url);
    const outcome = await (service === "table"
      ? bounded(new DynamoDBClient(settings), bounds).send(
          new GetItemCommand({ TableName: "table", Key: { pk: { S: "a" } } }),
        )
      : bounded(new SecretsManagerClient(settings), bounds).send(new GetSecretValueCommand({ SecretId: "a" }))
    ).then(
      () => "taken",
      (error: unknown) => isAway(error),
    );
    const isRead = statusAlone.includes(behaviour) && behaviour !== "sends garbage for JSON";
    expect(outcome).toBe(isRead ? "taken" : true);
    expect(peer.strayed()).toBe("");
    expect(peer.sentBytes()).toBeLessThan(sentBytesMax);
  });
});

it.each([
  createDynamoDbClient,
  createEventBridgeClient,
  createLambdaClient,
  createS3Client,
  createSecretsManagerClient,
  createSqsClient,
])("the client of %o has the bounds", (create) => {
  expect(create().middlewareStack.identify()).toContainEqual(expect.stringContaining("boundedReply"));
});

describe("the gateway of sockets", () => {
  const gatewayAt = (url: string) => {
    const client = bounded(new ApiGatewayManagementApiClient(settingsOf(url)), bounds);
    const send = async (command: unknown) => await client.send(command as PostToConnectionCommand);
    return new ApiGatewaySocketGateway(send, new FakeClock());
  };

  it.each(allHostile)("is unavailable, to one who ends a socket, where it %s", async (behaviour) => {
    const peer = await startHostileServer(behaviour);
    const outcome = await gatewayAt(peer.url)
      .disconnect("c1=")
      .then(
        () => "done",
        (error: unknown) => error,
      );
    if (statusAndSize.includes(behaviour)) expect(outcome).toBe("done");
    else expect(outcome).toMatchObject({ code: "service_unavailable" });
    expect(peer.strayed()).toBe("");
  });

  it.each(allHostile)("leaves open what came of a post, and says so, where it %s", async (behaviour) => {
    const peer = await startHostileServer(behaviour);
    const outcome = await gatewayAt(peer.url)
      .post("c1=", "{}")
      .then(
        ({ kind }) => kind,
        (error: Error) => error.name,
      );
    expect(outcome).toBe(statusAndSize.includes(behaviour) ? "delivered" : "DeliveryUncertain");
    expect(peer.strayed()).toBe("");
    expect(peer.sentBytes()).toBeLessThan(3 * sentBytesMax);
  });
});
