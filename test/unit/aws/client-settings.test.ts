import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, it, onTestFinished, vi } from "vitest";
import { clientSettings } from "../../../shared/aws/client-settings.ts";

async function endpoint(status: number, body: object): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ["answered", 200, { Item: { pk: { S: "a" } } }],
  ["refused", 400, { __type: "com.amazonaws.dynamodb.v20120810#ValidationException", message: "no" }],
])("copies nothing of a call that is %s for a log that nobody keeps", async (_, status, body) => {
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const url = await endpoint(status, body);
  const client = new DynamoDBClient({ ...clientSettings, region: "us-east-1", endpoint: url, credentials });
  onTestFinished(() => client.destroy());
  const copy = vi.fn((value: unknown) => value);
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(context, { inputFilterSensitiveLog: copy, outputFilterSensitiveLog: copy });
      return await next(args);
    },
    { step: "initialize", priority: "high" },
  );
  await client.send(new GetItemCommand({ TableName: "t", Key: { pk: { S: "a" } } })).catch(() => undefined);
  expect(copy).not.toHaveBeenCalled();
});
