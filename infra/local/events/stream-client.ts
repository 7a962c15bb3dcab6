import type { Credentials } from "../aws/credentials.ts";
import { signJsonCall } from "../aws/sigv4.ts";
import { asList, asObject, isObject, type JsonObject, optionalString } from "../template/json.ts";
import { withEmptyMaps } from "./empty-maps.ts";

export type StreamRecord = JsonObject;

export type Shard = { readonly shardId: string; readonly parentShardId: string | undefined };

export type ShardPosition =
  | { readonly from: "TRIM_HORIZON" | "LATEST" }
  | { readonly from: "AFTER_SEQUENCE_NUMBER"; readonly sequenceNumber: string };

export type RecordsPage = {
  readonly records: readonly StreamRecord[];
  readonly next: string | undefined;
};

export type StreamClientInput = {
  readonly endpointUrl: string;
  readonly region: string;
  readonly credentials: Credentials;
};

class StreamError extends Error {}

/** The SDK's client would convert the records, which the functions need in the wire's form. */
export class StreamClient {
  readonly #input: StreamClientInput;

  constructor(input: StreamClientInput) {
    this.#input = input;
  }

  async shards(streamArn: string): Promise<readonly Shard[]> {
    const shards: Shard[] = [];
    let last: string | undefined;
    do {
      const from: JsonObject = last === undefined ? {} : { ExclusiveStartShardId: last };
      const answer = await this.#call("DescribeStream", { StreamArn: streamArn, ...from });
      const description = asObject(answer.StreamDescription);
      for (const shard of asList(description.Shards).map(asObject)) {
        const shardId = optionalString(shard.ShardId) ?? "";
        shards.push({ shardId, parentShardId: optionalString(shard.ParentShardId) });
      }
      last = optionalString(description.LastEvaluatedShardId);
    } while (last !== undefined);
    return shards;
  }

  async iterator(streamArn: string, shardId: string, position: ShardPosition): Promise<string> {
    const answer = await this.#call("GetShardIterator", {
      StreamArn: streamArn,
      ShardId: shardId,
      ShardIteratorType: position.from,
      ...(position.from === "AFTER_SEQUENCE_NUMBER" ? { SequenceNumber: position.sequenceNumber } : {}),
    });
    const iterator = optionalString(answer.ShardIterator);
    if (iterator === undefined) throw new StreamError(`no iterator for ${shardId}`);
    return iterator;
  }

  async records(iterator: string): Promise<RecordsPage> {
    const answer = await this.#call("GetRecords", { ShardIterator: iterator });
    const records = asList(answer.Records).map((record) => withEmptyMaps(asObject(record)));
    return { records, next: optionalString(answer.NextShardIterator) };
  }

  async #call(operation: string, body: JsonObject): Promise<JsonObject> {
    const { endpointUrl, region, credentials } = this.#input;
    const text = JSON.stringify(body);
    const target = `DynamoDBStreams_20120810.${operation}`;
    const headers = await signJsonCall({
      endpointUrl,
      region,
      service: "dynamodb",
      target,
      text,
      credentials,
    });
    const response = await fetch(endpointUrl, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/x-amz-json-1.0",
      },
      body: text,
    });
    const answer: unknown = await response.json();
    const parsed = isObject(answer) ? answer : {};
    if (response.ok) return parsed;
    const type = optionalString(parsed.__type) ?? `HTTP ${response.status}`;
    const message = optionalString(parsed.message) ?? optionalString(parsed.Message) ?? "";
    const error = new StreamError(`${operation}: ${message}`);
    error.name = type.slice(type.indexOf("#") + 1);
    throw error;
  }
}
