import {
  type AttributeValue,
  BatchGetItemCommand,
  type CancellationReason,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { type Attributes, areSame, ValidationException } from "./attribute-values.ts";
import { applied, attributeNamed, holds, type Placeholders } from "./evaluate.ts";
import {
  type Condition,
  parseCondition,
  parseProjection,
  parseUpdate,
  placeholdersOf,
} from "./expression-syntax.ts";
import { type IndexName, idOf, indexNames, StoredItems, text } from "./stored-items.ts";

export interface ModelRecord extends TableStreamRecord {
  readonly eventName: "INSERT" | "MODIFY" | "REMOVE";
  readonly dynamodb: NonNullable<TableStreamRecord["dynamodb"]> & { readonly Keys: Attributes };
}

interface ItemWrite {
  readonly what: "put" | "update" | "delete" | "check";
  readonly item?: Attributes | undefined;
  readonly key?: Attributes | undefined;
  readonly update?: string | undefined;
  readonly condition?: string | undefined;
  readonly given: Placeholders;
  readonly brings: boolean;
}

interface Judged {
  readonly before: Attributes | undefined;
  readonly after: Attributes | undefined;
  readonly isRefused: boolean;
}

interface SdkWrite {
  readonly Item?: Attributes | undefined;
  readonly Key?: Attributes | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Attributes | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
}

const $metadata = {};

/**
 * DynamoDB in memory, with the one table of the template: it does the calls that our adapters make and refuses others.
 * Each call is done at once and whole, so that a test decides what comes between two calls. A property test compares
 * it with DynamoDB Local.
 *
 * Not modelled: throttling, transactions in conflict, TTL, tokens that are forgotten.
 */
export class DynamoModel {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly items: StoredItems;
  readonly #records: ModelRecord[] = [];
  readonly #tokens = new Map<string, unknown>();
  #sequence = 0;

  /** @param options.isLagging indexes see a change once `items.catchUp` is called. */
  constructor(options: { readonly isLagging?: boolean } = {}) {
    this.items = new StoredItems({ isLagging: options.isLagging ?? false });
    const send = async (command: unknown) => this.answer(command);
    // The overloads of `send` are many; each command is answered with its own output.
    this.client = { send } as Pick<DynamoDBClient, "send">;
  }

  /** Takes the stream's records since the last call. */
  takeRecords(): readonly ModelRecord[] {
    return this.#records.splice(0);
  }

  answer(command: unknown): object {
    if (command instanceof GetItemCommand) {
      return { $metadata, Item: this.items.get(command.input.Key ?? {}) };
    }
    if (command instanceof BatchGetItemCommand) return this.#batchGet(command.input.RequestItems ?? {});
    if (command instanceof QueryCommand) return this.#query(command.input);
    if (command instanceof TransactWriteItemsCommand) return this.#transact(command.input);
    if (command instanceof PutItemCommand) return this.#single(itemWrite("put", command.input), "NONE");
    if (command instanceof DeleteItemCommand) return this.#single(itemWrite("delete", command.input), "NONE");
    if (command instanceof UpdateItemCommand) {
      return this.#single(itemWrite("update", command.input), command.input.ReturnValues ?? "NONE");
    }
    throw new ValidationException(`the model knows no ${String(command?.constructor.name)}`);
  }

  #batchGet(requests: NonNullable<BatchGetItemCommand["input"]["RequestItems"]>) {
    const Responses: Record<string, Attributes[]> = {};
    for (const [table, request] of Object.entries(requests)) {
      const keys = request.Keys ?? [];
      if (keys.length > 100 || new Set(keys.map(idOf)).size < keys.length) {
        throw new ValidationException("a batch of more than 100 keys, or with one of them twice");
      }
      const given = placeholders(request, [request.ProjectionExpression]);
      const found = keys.map((key) => this.items.get(key)).filter((item) => item !== undefined);
      Responses[table] = found.map((item) => projected(item, request.ProjectionExpression, given));
    }
    return { $metadata, Responses, UnprocessedKeys: {} };
  }

  #query(input: QueryCommandInput) {
    const {
      KeyConditionExpression: keys = "",
      FilterExpression: filter,
      ProjectionExpression: wanted,
    } = input;
    const given = placeholders(input, [keys, filter, wanted]);
    const index = indexNames.find((name) => name === input.IndexName);
    if (input.IndexName !== undefined && (index === undefined || input.ConsistentRead)) {
      throw new ValidationException("no such index, or a consistent read of one");
    }
    const condition = parseCondition(keys);
    const page = this.items.page({
      index,
      partition: partitionOf(condition, index, given),
      isDescending: input.ScanIndexForward === false,
      start: input.ExclusiveStartKey,
      limit: input.Limit ?? Number.POSITIVE_INFINITY,
      isWanted: (item) => holds(condition, item, given),
    });
    const isFound =
      filter === undefined ? () => true : (item: Attributes) => holds(parseCondition(filter), item, given);
    const items = page.items.filter(isFound).map((item) => projected(item, wanted, given));
    return {
      $metadata,
      Count: items.length,
      ScannedCount: page.items.length,
      LastEvaluatedKey: page.lastKey,
      ...(input.Select === "COUNT" ? {} : { Items: items }),
    };
  }

  #single(write: ItemWrite, returned: string) {
    const judged = this.#judge(write);
    if (judged.isRefused) {
      const Item = write.brings ? judged.before && { ...judged.before } : undefined;
      const message = "The conditional request failed";
      throw new ConditionalCheckFailedException({ $metadata, message, ...(Item && { Item }) });
    }
    this.#write(judged);
    if (returned === "NONE") return { $metadata };
    if (returned !== "ALL_NEW") throw new ValidationException(`the model knows no ReturnValues ${returned}`);
    return { $metadata, Attributes: judged.after };
  }

  #transact({ TransactItems = [], ClientRequestToken: token }: TransactWriteItemsCommandInput) {
    if (token !== undefined && this.#tokens.has(token)) {
      const isSame = JSON.stringify(this.#tokens.get(token)) === JSON.stringify(TransactItems);
      if (isSame) return { $metadata };
      throw new ValidationException("another transaction under the same token");
    }
    const writes = TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => {
      if (Put) return itemWrite("put", Put);
      if (Update) return itemWrite("update", Update);
      if (Delete) return itemWrite("delete", Delete);
      if (ConditionCheck) return itemWrite("check", ConditionCheck);
      throw new ValidationException("a transaction of nothing");
    });
    const ids = new Set(writes.map(({ item, key }) => idOf(item ?? key ?? {})));
    if (writes.length === 0 || writes.length > 100 || ids.size < writes.length) {
      throw new ValidationException("a transaction of none, of more than 100, or of one item twice");
    }
    const judged = writes.map((write) => this.#judge(write));
    if (judged.some(({ isRefused }) => isRefused)) {
      const reasons = judged.map(({ isRefused, before }, place): CancellationReason => {
        if (!isRefused) return { Code: "None" };
        const Item = writes[place]?.brings ? before && { ...before } : undefined;
        const Message = "The conditional request failed";
        return { Code: "ConditionalCheckFailed", Message, ...(Item && { Item }) };
      });
      const codes = reasons.map(({ Code }) => Code).join(", ");
      throw new TransactionCanceledException({
        $metadata,
        message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
        CancellationReasons: reasons,
      });
    }
    for (const one of judged) this.#write(one);
    if (token !== undefined) this.#tokens.set(token, TransactItems);
    return { $metadata };
  }

  #judge({ what, item, key, update, condition, given }: ItemWrite): Judged {
    const at = item ?? key ?? {};
    const before = this.items.get(at);
    const isRefused = condition !== undefined && !holds(parseCondition(condition), before ?? {}, given);
    if (isRefused || what === "check") return { before, after: before, isRefused };
    if (what === "delete") return { before, after: undefined, isRefused };
    const after =
      update === undefined ? (item ?? before ?? at) : applied(parseUpdate(update), before ?? at, given);
    this.items.check(after);
    return { before, after, isRefused };
  }

  /** A write that changes nothing leaves no record. */
  #write({ before, after }: Judged): void {
    if (before === after || (before && after && areSame(before, after))) return;
    this.items.replace(before, after);
    const { pk, sk } = after ?? before ?? {};
    if (pk === undefined || sk === undefined) return;
    this.#sequence += 1;
    this.#records.push({
      eventName: before ? (after ? "MODIFY" : "REMOVE") : "INSERT",
      dynamodb: {
        SequenceNumber: String(this.#sequence).padStart(21, "0"),
        Keys: { pk, sk },
        ...(after && { NewImage: after }),
        ...(before && { OldImage: before }),
      },
    });
  }
}

function itemWrite(what: ItemWrite["what"], input: SdkWrite): ItemWrite {
  return {
    what,
    item: input.Item,
    key: input.Key,
    update: input.UpdateExpression,
    condition: input.ConditionExpression,
    given: placeholders(input, [input.UpdateExpression, input.ConditionExpression]),
    brings: input.ReturnValuesOnConditionCheckFailure === "ALL_OLD",
  };
}

/** Refuses placeholders that are undefined or unused, as DynamoDB does. */
function placeholders(
  input: Pick<SdkWrite, "ExpressionAttributeNames" | "ExpressionAttributeValues">,
  texts: readonly (string | undefined)[],
): Placeholders {
  const names = input.ExpressionAttributeNames ?? {};
  const values = input.ExpressionAttributeValues ?? {};
  const used = new Set(texts.flatMap((one) => (one === undefined ? [] : placeholdersOf(one))));
  const given = new Set([...Object.keys(names), ...Object.keys(values)]);
  for (const name of given) if (!used.has(name)) throw new ValidationException(`${name} is not used`);
  for (const name of used) if (!given.has(name)) throw new ValidationException(`${name} is not given`);
  return { names, values };
}

function projected(item: Attributes, projection: string | undefined, given: Placeholders): Attributes {
  if (projection === undefined) return item;
  const wanted = parseProjection(projection).map((name) => attributeNamed(name, given));
  const some: Record<string, AttributeValue> = {};
  for (const name of wanted) {
    const value = item[name];
    if (value) some[name] = value;
  }
  return some;
}

function partitionOf(condition: Condition, index: IndexName | undefined, given: Placeholders): string {
  if (condition.is === "and") return partitionOf(condition.left, index, given);
  const name = index === undefined ? "pk" : `${index}_pk`;
  const [path] = condition.is === "compare" && condition.left.is === "path" ? condition.left.path : [];
  const isOfPartition = typeof path === "string" && attributeNamed(path, given) === name;
  if (
    condition.is !== "compare" ||
    condition.by !== "=" ||
    !isOfPartition ||
    condition.right.is !== "value"
  ) {
    throw new ValidationException("a key condition begins with its partition");
  }
  return text(given.values[condition.right.name]);
}
