import {
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from "@aws-sdk/client-apigatewaymanagementapi";
import { CreateSecretCommand, ListSecretsCommand } from "@aws-sdk/client-secrets-manager";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AwsEndpoint, startAwsEndpoint } from "../../../infra/local/aws/aws-endpoint.ts";
import { createControlRoutes } from "../../../infra/local/aws/control-routes.ts";
import { type Credentials, newCredentials } from "../../../infra/local/aws/credentials.ts";
import { signJsonCall } from "../../../infra/local/aws/sigv4.ts";
import { clientsOf, clientsOfRole } from "./clients.ts";

const dynamoDbLocal = { url: "http://127.0.0.1:9", port: 9, stop: async () => undefined };
const connectionName = "L0SM9cOFvHcCIhw=";

const open = new Map([[connectionName, [] as string[]]]);
const crashed: unknown[] = [];
const defects: unknown[] = [];
let endpoint: AwsEndpoint;

beforeAll(async () => {
  endpoint = await startAwsEndpoint({
    dynamoDbLocal,
    crashWorker: (caller) => crashed.push(caller),
    onDefect: (error) => defects.push(error),
    connections: {
      apiId: "abc123",
      post(id, body) {
        const received = open.get(id);
        received?.push(Buffer.from(body).toString("utf8"));
        return received ? "ok" : "gone";
      },
      get: (id) =>
        open.has(id)
          ? {
              connectedAt: "2026-01-31T12:00:00Z",
              lastActiveAt: "2026-01-31T12:00:01Z",
              identity: { sourceIp: "127.0.0.1", userAgent: "driver" },
            }
          : "gone",
      delete: (id) => (open.has(id) ? "ok" : "gone"),
    },
  });
});
afterAll(() => endpoint?.stop());
afterEach(() => endpoint.faults.clear());

/** A call of a service whose SDK client is not installed, signed as the SDK would. */
async function callJson(
  service: string,
  target: string,
  body: unknown,
  credentials: Credentials = endpoint.admin,
) {
  const text = JSON.stringify(body);
  const { url: endpointUrl, region } = endpoint;
  const headers = await signJsonCall({ endpointUrl, region, service, target, text, credentials });
  const response = await fetch(endpoint.url, {
    method: "POST",
    body: text,
    headers,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("@connections", () => {
  it("posts to a connection whose id has to be encoded, reads it and deletes it", async () => {
    const { connections } = clientsOf(endpoint);
    await connections.send(new PostToConnectionCommand({ ConnectionId: connectionName, Data: "hello" }));
    expect(open.get(connectionName)).toEqual(["hello"]);
    const info = await connections.send(new GetConnectionCommand({ ConnectionId: connectionName }));
    expect(info.ConnectedAt).toEqual(new Date("2026-01-31T12:00:00Z"));
    const { $metadata } = await connections.send(
      new DeleteConnectionCommand({ ConnectionId: connectionName }),
    );
    expect($metadata.httpStatusCode).toBe(204);
  });

  it("answers as API Gateway does for a connection that is gone, or a message too large", async () => {
    const { connections } = clientsOf(endpoint);
    const post = (ConnectionId: string, Data: string) =>
      connections.send(new PostToConnectionCommand({ ConnectionId, Data }));
    await expect(post("gone", "x")).rejects.toMatchObject({
      name: "GoneException",
      $metadata: { httpStatusCode: 410 },
    });
    await expect(post(connectionName, "x".repeat(131_073))).rejects.toMatchObject({
      name: "PayloadTooLargeException",
      $metadata: { httpStatusCode: 413 },
    });
    await post(connectionName, "x".repeat(131_072));
    for (const command of [
      new GetConnectionCommand({ ConnectionId: "gone" }),
      new DeleteConnectionCommand({ ConnectionId: "gone" }),
    ]) {
      await expect(connections.send(command as GetConnectionCommand)).rejects.toMatchObject({
        name: "GoneException",
      });
    }
  });

  it("judges API, stage and method", async () => {
    const grant = (Resource: string) =>
      clientsOfRole(endpoint, "poster", [{ Action: "execute-api:ManageConnections", Resource }]).connections;
    const arn = "arn:aws:execute-api:us-east-1:000000000000:abc123/live/POST/@connections/*";
    const post = new PostToConnectionCommand({ ConnectionId: connectionName, Data: "x" });
    await grant(arn).send(post);
    for (const other of [
      arn.replace("abc123", "other"),
      arn.replace("/live/", "/test/"),
      arn.replace("POST", "GET"),
    ]) {
      await expect(grant(other).send(post)).rejects.toMatchObject({
        name: "AccessDeniedException",
        $metadata: { httpStatusCode: 403 },
      });
    }
  });
});

describe("EventBridge and SQS", () => {
  const entry = { EventBusName: "main", Source: "das", DetailType: "run.done", Detail: '{"id":1}' };
  beforeAll(() => endpoint.createEventBus("main"));

  it("keeps what is put on a bus, and answers for each entry", async () => {
    const { status, body } = await callJson("events", "AWSEvents.PutEvents", {
      Entries: [entry, { ...entry, Detail: "no json" }, { ...entry, EventBusName: "other" }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      FailedEntryCount: 2,
      Entries: [
        { EventId: expect.any(String) },
        { ErrorCode: "MalformedDetail" },
        { ErrorCode: "ResourceNotFoundException" },
      ],
    });
    expect(endpoint.events.snapshot()).toMatchObject([
      {
        eventBusName: "main",
        source: "das",
        detailType: "run.done",
        detail: { id: 1 },
        functionName: "admin",
      },
    ]);
  });

  it("keeps messages, and denies both to who is not granted them", async () => {
    const QueueUrl = "https://sqs.us-east-1.amazonaws.com/000000000000/failures";
    const sent = await callJson("sqs", "AmazonSQS.SendMessage", { QueueUrl, MessageBody: "hello" });
    expect(sent.body).toMatchObject({ MD5OfMessageBody: "5d41402abc4b2a76b9719d911017c592" });
    expect(endpoint.messages.snapshot()).toMatchObject([{ queueName: "failures", body: "hello" }]);
    const nobody = newCredentials();
    endpoint.principals.register({ ...nobody, functionName: "nobody", policies: [] });
    const event = await callJson("events", "AWSEvents.PutEvents", { Entries: [entry] }, nobody);
    const message = await callJson("sqs", "AmazonSQS.SendMessage", { QueueUrl, MessageBody: "x" }, nobody);
    expect(event.body.message).toContain(
      "events:PutEvents on resource: arn:aws:events:us-east-1:000000000000:event-bus/main",
    );
    expect(message.body.message).toContain(
      "sqs:SendMessage on resource: arn:aws:sqs:us-east-1:000000000000:failures",
    );
  });
});

describe("what cannot be judged or is not there", () => {
  it("is an internal failure with the reason, never an allowed call", async () => {
    const credentials = newCredentials();
    const Condition = { StringEquals: { "aws:SourceVpc": "vpc-1" } };
    const Statement = { Effect: "Allow", Action: "*", Resource: "*", Condition };
    endpoint.principals.register({ ...credentials, functionName: "odd", policies: [{ Statement }] });
    await expect(
      clientsOf(endpoint, credentials).secrets.send(new ListSecretsCommand({})),
    ).rejects.toMatchObject({ name: "InternalFailure", message: expect.stringContaining("aws:SourceVpc") });
    expect(defects).toHaveLength(1);
  });

  it("refuses a service that it does not stand in for", async () => {
    const { status, body } = await callJson("kms", "TrentService.Decrypt", {});
    expect(status).toBe(501);
    expect(body.message).toContain("kms");
  });

  it("refuses an unsigned request", async () => {
    expect((await fetch(`${endpoint.url}/files/a`)).status).toBe(403);
  });

  it("says in one sentence that its port is in use", async () => {
    await expect(startAwsEndpoint({ dynamoDbLocal, port: endpoint.port })).rejects.toThrow(
      `The AWS endpoint cannot listen on port ${endpoint.port}: it is in use.`,
    );
  });
});

describe("control routes", () => {
  it("list the calls that their roles do not allow", async () => {
    const { secrets } = clientsOfRole(endpoint, "nosy", []);
    await expect(
      secrets.send(new CreateSecretCommand({ Name: "denied", SecretString: "x" })),
    ).rejects.toMatchObject({ name: "AccessDeniedException" });
    const { items } = (await (await createControlRoutes(endpoint).request("/denials")).json()) as {
      items: unknown[];
    };
    expect(items.at(-1)).toEqual({
      functionName: "nosy",
      service: "secretsmanager",
      operation: "CreateSecret",
      message: expect.stringContaining("secretsmanager:CreateSecret"),
    });
  });

  it("show and clear calls, and inject faults, one of which ends the caller's worker", async () => {
    const control = createControlRoutes(endpoint);
    const { secrets } = clientsOf(endpoint);
    expect((await control.request("/calls", { method: "DELETE" })).status).toBe(204);
    const fault = { service: "secretsmanager", operation: "CreateSecret", effect: "crash_after" };
    const post = (body: unknown) =>
      control.request("/faults", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await post({ operation: "CreateSecret" })).status).toBe(400);
    expect((await post(fault)).status).toBe(201);
    await expect(
      secrets.send(new CreateSecretCommand({ Name: "crash", SecretString: "x" })),
    ).rejects.toThrow();
    expect(crashed).toEqual([{ functionName: "admin", worker: undefined }]);
    expect(endpoint.secrets.find("crash")).toBeDefined();
    const calls = await (await control.request("/calls")).json();
    expect(calls).toMatchObject({ counts: { admin: { secretsmanager: { CreateSecret: 1 } } } });
    expect(await (await control.request("/faults")).json()).toEqual({ items: [] });
    const held = (await (await control.request("/secrets")).json()) as { items: unknown[] };
    expect(held.items).toContainEqual({ name: "crash", is_deleted: false });
    expect(JSON.stringify(held)).not.toContain("SecretString");
    const events: unknown = await (await control.request("/events")).json();
    expect(events).toEqual({ items: endpoint.events.snapshot() });
  });
});
