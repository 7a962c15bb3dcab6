import { randomUUID } from "node:crypto";
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from "@aws-sdk/client-dynamodb";
import type { Acts } from "../../domain/audit/act.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Encryption } from "../../domain/encryption.ts";
import type { Pacing } from "../../domain/until-written.ts";
import { batchKeysMax } from "../../vocabulary/table.ts";
import { stampWrites } from "./act-stamp.ts";
import { classifyFailure, type FailedConditions } from "./dynamo-failure.ts";
import { type Change, type Condition, put, remove, update, type Write } from "./expression.ts";
import { fromAttributes, type Item, type Key, toAttributes } from "./item.ts";
import { type RetryPolicy, retryUntilDeadline, unavailable } from "./retry.ts";
import { Failures, type Parts, type Transacted, writesOf } from "./transaction.ts";
import { transactItem } from "./write-input.ts";

export interface DynamoTableOptions {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly tableName: string;
  readonly clock: Clock;
  /** @default none, and an access to encrypted attributes throws */
  readonly encryption?: Encryption;
  /** @default none, and all changes are the service's own */
  readonly acts?: Pick<Acts, "current">;
  readonly random?: () => number;
  /** Returns the end of a call's time, retries included, in ms since the epoch. @default 5 s after it began */
  readonly deadlineMs?: () => number;
  /** @default 1,000, which few of a million attempts take */
  readonly attemptMsMax?: number | undefined;
}

export type Written =
  | { readonly kind: "written" }
  /** The item is undefined when there is none. */
  | { readonly kind: "failed"; readonly item: Item | undefined };

export type Updated =
  | { readonly kind: "updated"; readonly item: Item }
  | Exclude<Written, { kind: "written" }>;

type Called<Output> =
  | { readonly kind: "answered"; readonly output: Output }
  | { readonly kind: "failed"; readonly failed: FailedConditions };

type Send<Output> = (within: { readonly requestTimeout: number }) => Promise<Output>;

const defaultCallMs = 5_000;
const defaultAttemptMs = 1_000;

/** A table that is away for seconds must not keep a caller waiting. */
const unansweredMax = 3;

const batchesAtOnce = 8;

/**
 * Retries throttled calls, conflicts and calls without a response, with full jitter until the deadline, and returns
 * failed conditions instead of throwing them. The given client should not retry by itself (`createDynamoDbClient`).
 *
 * A write is repeated after a lost response, so its condition may meet its own result: `transact` recognizes that by
 * its token, and where it matters elsewhere the caller compares the existing item.
 *
 * Every method throws {DomainError} `service_unavailable` when DynamoDB stays busy or away.
 */
export class DynamoTable {
  readonly #options: DynamoTableOptions;
  readonly #tableName: string;

  constructor(options: DynamoTableOptions) {
    this.#options = options;
    this.#tableName = options.tableName;
  }

  /** For repeated reads, the next attempt is worth more than one that hangs. */
  withAttemptsOf(attemptMsMax: number): DynamoTable {
    return new DynamoTable({ ...this.#options, attemptMsMax });
  }

  /** For a write that has another place to go to. */
  withCallsOf(callMs: number): DynamoTable {
    const { clock } = this.#options;
    return new DynamoTable({ ...this.#options, deadlineMs: () => clock.now() + callMs });
  }

  withEncryption(encryption: Encryption): DynamoTable {
    return new DynamoTable({ ...this.#options, encryption });
  }

  get pacing(): Pacing {
    return this.#options;
  }

  get encryption(): Encryption {
    if (this.#options.encryption) return this.#options.encryption;
    throw new Error("this function has no data key");
  }

  async get(key: Key, isConsistent = true): Promise<Item | undefined> {
    const input = { TableName: this.#tableName, Key: toAttributes({ ...key }), ConsistentRead: isConsistent };
    const { Item } = await this.#answer((within) =>
      this.#options.client.send(new GetItemCommand(input), within),
    );
    return Item && fromAttributes(Item);
  }

  async put(item: Item & Key, condition?: Condition): Promise<Written> {
    return writtenBy(await this.#write(put(item, condition)));
  }

  /** Returns the item as it is after the change. */
  async update(key: Key, change: Change, condition?: Condition): Promise<Updated> {
    const outcome = await this.#write(update(key, change, condition));
    if (outcome.kind === "failed") return refusedBy(outcome.failed);
    return { kind: "updated", item: fromAttributes(outcome.output.Attributes ?? {}) };
  }

  async delete(key: Key, condition?: Condition): Promise<Written> {
    return writtenBy(await this.#write(remove(key, condition)));
  }

  /** A retry after a lost response has no second effect, because all attempts have one token, valid for 10 minutes. */
  async transact<Name extends string>(parts: Parts<Name>): Promise<Transacted<Name>> {
    const named = writesOf(parts);
    const writes = named.map(({ write }) => write);
    const outcome = await this.#stamped(writes, async (stamped) => {
      const input = {
        TransactItems: stamped.map((write) => transactItem(this.#tableName, write)),
        ClientRequestToken: randomUUID(),
      };
      return await this.#call((within) =>
        this.#options.client.send(new TransactWriteItemsCommand(input), within),
      );
    });
    const failed: FailedConditions = outcome.kind === "failed" ? outcome.failed : new Map();
    const first = named.find((_, index) => failed.has(index));
    return { failed: first?.name, failures: new Failures(named, failed) };
  }

  async queryPage(input: Omit<QueryCommandInput, "TableName">): Promise<QueryCommandOutput> {
    return await this.#answer((within) =>
      this.#options.client.send(new QueryCommand({ ...input, TableName: this.#tableName }), within),
    );
  }

  /**
   * The items have the order of the keys.
   *
   * @param isConsistent is false for half the units, where the result is checked before it is used.
   */
  async batchGet(
    keys: readonly Key[],
    attributes?: readonly string[],
    isConsistent = true,
  ): Promise<readonly Item[]> {
    const batches: Key[][] = [];
    for (let start = 0; start < keys.length; start += batchKeysMax) {
      batches.push(keys.slice(start, start + batchKeysMax));
    }
    const found = new Map<string, Item>();
    for (let start = 0; start < batches.length; start += batchesAtOnce) {
      await Promise.all(
        batches
          .slice(start, start + batchesAtOnce)
          .map((batch) => this.#getBatch(batch, attributes, isConsistent, found)),
      );
    }
    return keys.map((key) => found.get(`${key.pk} ${key.sk}`)).filter((item) => item !== undefined);
  }

  async #getBatch(
    keys: readonly Key[],
    attributes: readonly string[] | undefined,
    isConsistent: boolean,
    found: Map<string, Item>,
  ) {
    const names = [...new Set(["pk", "sk", ...(attributes ?? [])])];
    const projection = attributes
      ? {
          ProjectionExpression: names.map((name) => `#${name}`).join(", "),
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        }
      : {};
    let waiting = keys.map(({ pk, sk }) => toAttributes({ pk, sk }));
    const policy = this.#retryPolicy();
    await retryUntilDeadline(policy, async () => {
      const request = { [this.#tableName]: { Keys: waiting, ConsistentRead: isConsistent, ...projection } };
      const output = await this.#answer(
        (within) => this.#options.client.send(new BatchGetItemCommand({ RequestItems: request }), within),
        policy,
      );
      for (const attributes of output.Responses?.[this.#tableName] ?? []) {
        const item = fromAttributes(attributes);
        found.set(`${item.pk} ${item.sk}`, item);
      }
      waiting = output.UnprocessedKeys?.[this.#tableName]?.Keys ?? [];
      return waiting.length === 0 ? { done: undefined } : { again: new Error("keys were left unprocessed") };
    });
  }

  async #write(write: Write): Promise<Called<Pick<UpdateItemCommandOutput, "Attributes">>> {
    return await this.#stamped([write], async ([stamped = write]) => await this.#send(stamped));
  }

  async #send(write: Write): Promise<Called<Pick<UpdateItemCommandOutput, "Attributes">>> {
    const { client } = this.#options;
    const { Put, Update, Delete } = transactItem(this.#tableName, write);
    return await this.#call((within) => {
      if (Put) return client.send(new PutItemCommand(Put), within);
      if (Update) return client.send(new UpdateItemCommand({ ...Update, ReturnValues: "ALL_NEW" }), within);
      if (Delete) return client.send(new DeleteItemCommand(Delete), within);
      throw new Error("a check is part of a transaction");
    });
  }

  /** A preceding write marks an item that is to be removed. */
  async #stamped<Output>(
    writes: readonly Write[],
    send: (stamped: readonly Write[]) => Promise<Called<Output>>,
  ): Promise<Called<Output>> {
    const act = this.#options.acts?.current();
    const stamped = stampWrites(act, writes);
    // If the mark's condition fails, so does the removal's.
    if (stamped.mark) await this.#send(stamped.mark);
    const outcome = await send(stamped.writes);
    if (act && outcome.kind === "answered") act.resourceId ??= stamped.resourceId;
    return outcome;
  }

  async #answer<Output>(send: Send<Output>, policy?: RetryPolicy): Promise<Output> {
    const outcome = await this.#call(send, policy);
    if (outcome.kind === "answered") return outcome.output;
    throw new Error("a condition failed where none was given");
  }

  async #call<Output>(send: Send<Output>, policy = this.#retryPolicy()): Promise<Called<Output>> {
    let silences = 0;
    return await retryUntilDeadline<Called<Output>>(policy, async (leftMs) => {
      // A timeout of 0 would be no limit at all.
      const requestTimeout = Math.max(1, Math.min(leftMs, this.#options.attemptMsMax ?? defaultAttemptMs));
      try {
        return { done: { kind: "answered", output: await send({ requestTimeout }) } };
      } catch (error) {
        const failure = classifyFailure(error);
        if (failure.kind === "conditions") return { done: { kind: "failed", failed: failure.failed } };
        if (failure.kind === "bug") throw error;
        if (failure.kind === "unanswered") silences += 1;
        if (silences >= unansweredMax) throw unavailable(error);
        return { again: error };
      }
    });
  }

  #retryPolicy(): RetryPolicy {
    const { clock, random = Math.random, deadlineMs = () => clock.now() + defaultCallMs } = this.#options;
    return { clock, random, deadlineMs: deadlineMs() };
  }
}

function writtenBy(outcome: Called<unknown>): Written {
  return outcome.kind === "answered" ? { kind: "written" } : refusedBy(outcome.failed);
}

function refusedBy(failed: FailedConditions): Extract<Written, { kind: "failed" }> {
  const [item] = failed.values();
  return { kind: "failed", item };
}

export interface StoreDeps {
  readonly table: DynamoTable;
  readonly clock: Pick<Clock, "now">;
}
