import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { StreamClient, type StreamRecord } from "../../../infra/local/events/stream-client.ts";
import type { StackTable } from "./storage.ts";

export async function watchStream({
  client,
  name,
  url,
}: StackTable): Promise<() => Promise<readonly StreamRecord[]>> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  const arn = Table?.LatestStreamArn ?? "";
  const credentials = { accessKeyId: "local", secretAccessKey: "local", sessionToken: "local" };
  const stream = new StreamClient({ endpointUrl: url, region: "us-east-1", credentials });
  const begun = new Map<string, string>();
  for (const { shardId } of await stream.shards(arn)) {
    begun.set(shardId, await stream.iterator(arn, shardId, { from: "LATEST" }));
  }
  return async () => {
    const records: StreamRecord[] = [];
    for (const { shardId } of await stream.shards(arn)) {
      let next = begun.get(shardId) ?? (await stream.iterator(arn, shardId, { from: "TRIM_HORIZON" }));
      for (;;) {
        const page = await stream.records(next);
        records.push(...page.records);
        if (page.records.length === 0 || page.next === undefined) break;
        next = page.next;
      }
    }
    return records;
  };
}
