import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { SignatureV4 } from "@smithy/signature-v4";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createDynamoDbClient } from "../../../shared/aws/dynamodb-client.ts";

interface Received {
  readonly Key: Readonly<Record<string, unknown>>;
}

async function clientOf(respond: (response: ServerResponse, received: Received) => void) {
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/x-amz-json-1.0");
    respond(response, (await json(request)) as Received);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = createDynamoDbClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "eu-central-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return client;
}

const echo = (response: ServerResponse, { Key }: Received) =>
  void response.end(JSON.stringify({ Item: Key }));
const get = (pk: string) => new GetItemCommand({ TableName: "t", Key: { pk: { S: pk } } });

describe("the client of DynamoDB", () => {
  it("makes a command's middleware once for each time limit, and its signer once", async () => {
    const client = await clientOf(echo);
    const reads = vi.spyOn(GetItemCommand.prototype, "resolveMiddleware");
    const queries = vi.spyOn(QueryCommand.prototype, "resolveMiddleware");
    const sign = vi.spyOn(SignatureV4.prototype, "sign");
    for (const requestTimeout of [1_000, 300, 1_000, 300]) await client.send(get("a"), { requestTimeout });
    await client.send(new QueryCommand({ TableName: "t" }), { requestTimeout: 1_000 });
    expect(reads).toHaveBeenCalledTimes(2);
    expect(queries).toHaveBeenCalledTimes(1);
    expect(sign).toHaveBeenCalledTimes(5);
    expect(new Set(sign.mock.contexts).size).toBe(1);
  });

  it("sends what each of several calls at once was given", async () => {
    const client = await clientOf(echo);
    const names = ["a", "b", "c", "d"];
    const outputs = await Promise.all(names.map((pk) => client.send(get(pk), { requestTimeout: 1_000 })));
    expect(outputs.map(({ Item }) => Item?.pk?.S)).toEqual(names);
  });

  it("ends a call at its own time limit", async () => {
    const client = await clientOf((response, received) => {
      if (received.Key.pk !== undefined) echo(response, received);
    });
    const silent = new GetItemCommand({ TableName: "t", Key: {} });
    await client.send(get("a"), { requestTimeout: 5_000 });
    await expect(client.send(silent, { requestTimeout: 20 })).rejects.toMatchObject({ name: "TimeoutError" });
    expect((await client.send(get("a"), { requestTimeout: 5_000 })).Item).toEqual({ pk: { S: "a" } });
  });

  it("makes one attempt, whose failure it throws as the service named it", async () => {
    const failure = { __type: "com.amazonaws.dynamodb.v20120810#ThrottlingException", message: "slower" };
    const respond = vi.fn((response: ServerResponse) => {
      response.writeHead(400).end(JSON.stringify(failure));
    });
    const client = await clientOf(respond);
    await expect(client.send(get("a"))).rejects.toMatchObject({
      name: "ThrottlingException",
      $metadata: { httpStatusCode: 400 },
    });
    expect(respond).toHaveBeenCalledTimes(1);
  });
});
