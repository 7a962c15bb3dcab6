import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { expect, it } from "vitest";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { useTable } from "../../support/dynamo-stores.ts";

const table = useTable();

type Attributes = Record<string, AttributeValue>;
type Command = Parameters<DynamoDBClient["send"]>[0];
type Given = { readonly names: Record<string, string>; readonly values: Attributes };

const partitions = ["one", "two"] as const;
const key = fc.record({
  pk: fc.constantFrom(...partitions),
  sk: fc.constantFrom("#", "ROW#1", "ROW#2", "ä"),
});
const numberText = fc.integer({ min: -3, max: 3 }).map(String);
const shortText = fc.constantFrom("a", "b", "ab", "", "é", "\u{1F600}", "\uFFFD");
const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  { weight: 3, arbitrary: shortText.map((S) => ({ S })) },
  { weight: 3, arbitrary: numberText.map((N) => ({ N })) },
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true as const }),
  fc.uniqueArray(shortText, { minLength: 1, maxLength: 3 }).map((SS) => ({ SS })),
  fc.uniqueArray(numberText, { minLength: 1, maxLength: 3 }).map((NS) => ({ NS })),
  fc.array(shortText, { maxLength: 2 }).map((texts) => ({ L: texts.map((S) => ({ S })) })),
  fc.record({ in: numberText }, { requiredKeys: [] }).map((inner) => ({
    M: inner.in === undefined ? {} : { in: { N: inner.in } },
  })),
);
const names = ["a", "b", "status"] as const;
const indexText = fc.constantFrom("x", "y");

const item: fc.Arbitrary<Attributes> = fc
  .record(
    {
      a: value,
      b: value,
      status: value,
      more: fc.constantFrom(["a"], ["a", "b"]).map((SS) => ({ SS })),
      due_pk: indexText.map((S) => ({ S })),
      due_sk: fc.constantFrom("1", "2", "3").map((S) => ({ S })),
    },
    { requiredKeys: [] },
  )
  .map((fields) => fields as Attributes);

/** Placeholders are made when expressions are put together, so that each call uses all it gives. */
type Draft = (given: Given) => string;

const named =
  (name: string): Draft =>
  ({ names: all }) => {
    all[`#${name}`] = name;
    return `#${name}`;
  };

const bound =
  (what: AttributeValue): Draft =>
  ({ values }) => {
    const place = `:v${Object.keys(values).length}`;
    values[place] = what;
    return place;
  };

const path = fc.constantFrom(...names).map(named);
const inner = fc.constantFrom<Draft>((given) => `${named("a")(given)}.${named("in")(given)}`);
const anyPath = fc.oneof({ weight: 4, arbitrary: path }, inner);
const operand = fc.oneof(anyPath, value.map(bound));
const size = path.map(
  (of): Draft =>
    (given) =>
      `size(${of(given)})`,
);

const simple: fc.Arbitrary<Draft> = fc.oneof(
  fc.tuple(anyPath, fc.constantFrom("=", "<>"), operand, value).map(
    ([left, by, right, instead]): Draft =>
      (given) => {
        const text = left(given);
        // DynamoDB refuses to compare something with itself.
        const other = right(given);
        return `${text} ${by} ${other === text ? bound(instead)(given) : other}`;
      },
  ),
  // DynamoDB refuses an ordering of literal values that have no order.
  fc
    .tuple(
      fc.oneof(path, size),
      fc.constantFrom("<", "<=", ">", ">="),
      fc.oneof(
        shortText.map((S) => ({ S })),
        numberText.map((N) => ({ N })),
      ),
    )
    .map(
      ([left, by, right]): Draft =>
        (given) =>
          `${left(given)} ${by} ${bound(right)(given)}`,
    ),
  fc.tuple(path, fc.integer({ min: -3, max: 0 }), fc.integer({ min: 0, max: 3 })).map(
    ([of, low, high]): Draft =>
      (given) =>
        `${of(given)} BETWEEN ${bound({ N: String(low) })(given)} AND ${bound({ N: String(high) })(given)}`,
  ),
  fc.tuple(path, fc.array(value, { minLength: 1, maxLength: 3 })).map(
    ([of, among]): Draft =>
      (given) =>
        `${of(given)} IN (${among.map((one) => bound(one)(given)).join(", ")})`,
  ),
  fc.tuple(fc.constantFrom("attribute_exists", "attribute_not_exists"), anyPath).map(
    ([name, of]): Draft =>
      (given) =>
        `${name}(${of(given)})`,
  ),
  fc.tuple(path, shortText).map(
    ([of, start]): Draft =>
      (given) =>
        `begins_with(${of(given)}, ${bound({ S: start })(given)})`,
  ),
  fc.tuple(path, value).map(
    ([of, wanted]): Draft =>
      (given) =>
        `contains(${of(given)}, ${bound(wanted)(given)})`,
  ),
);

const condition: fc.Arbitrary<Draft> = fc.letrec<{ any: Draft }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    simple,
    fc.tuple(tie("any"), fc.constantFrom("AND", "OR"), tie("any")).map(
      ([left, by, right]): Draft =>
        (given) =>
          `(${left(given)}) ${by} ${right(given)}`,
    ),
    tie("any").map(
      (of): Draft =>
        (given) =>
          `NOT (${of(given)})`,
    ),
  ),
})).any;

const setTo: fc.Arbitrary<Draft> = fc.oneof(
  value.map(bound),
  fc.tuple(path, value).map(
    ([of, or]): Draft =>
      (given) =>
        `if_not_exists(${of(given)}, ${bound(or)(given)})`,
  ),
  fc.tuple(path, fc.constantFrom("+", "-"), numberText).map(
    ([of, sign, by]): Draft =>
      (given) =>
        `if_not_exists(${of(given)}, ${bound({ N: "0" })(given)}) ${sign} ${bound({ N: by })(given)}`,
  ),
);

const update: fc.Arbitrary<Draft> = fc
  .record({
    set: fc.option(fc.tuple(fc.constantFrom("a", "due_pk"), setTo), { nil: undefined }),
    remove: fc.option(fc.constantFrom("b", "due_sk"), { nil: undefined }),
    add: fc.option(
      fc.oneof(
        numberText.map((N) => ({ N })),
        fc.constant<AttributeValue>({ SS: ["a", "c"] }),
      ),
      { nil: undefined },
    ),
    take: fc.option(fc.constant<AttributeValue>({ SS: ["a"] }), { nil: undefined }),
  })
  .filter(({ set, remove, add, take }) => Boolean(set ?? remove ?? add ?? take))
  .map(
    ({ set, remove, add, take }): Draft =>
      (given) =>
        [
          set && `SET ${named(set[0])(given)} = ${set[1](given)}`,
          remove && `REMOVE ${named(remove)(given)}`,
          add && `ADD ${named("status")(given)} ${bound(add)(given)}`,
          take && `DELETE ${named("more")(given)} ${bound(take)(given)}`,
        ]
          .filter((part) => part !== undefined)
          .join(" "),
  );

const optionalCondition = fc.option(condition, { nil: undefined });

const write = fc.oneof(
  fc.record({ does: fc.constant("put" as const), key, item, condition: optionalCondition }),
  fc.record({ does: fc.constant("update" as const), key, update, condition: optionalCondition }),
  fc.record({ does: fc.constant("delete" as const), key, condition: optionalCondition }),
);
const check = fc.record({ does: fc.constant("check" as const), key, condition });

const query = fc.record({
  does: fc.constant("query" as const),
  index: fc.constantFrom(undefined, "due" as const),
  partition: fc.nat({ max: 1 }),
  range: fc.option(
    fc.record({
      by: fc.constantFrom("=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"),
      to: fc.constantFrom("ROW#1", "ROW#", "1", "2", "#"),
    }),
    { nil: undefined },
  ),
  limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  isForward: fc.boolean(),
  filter: optionalCondition,
  isCount: fc.boolean(),
});

const step = fc.oneof(
  { weight: 6, arbitrary: write },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("transact" as const),
      writes: fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: write }, check), {
        minLength: 1,
        maxLength: 4,
        selector: (one) => `${one.key.pk} ${one.key.sk}`,
      }),
      isRepeated: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: query },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("get" as const), key }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type OneWrite = typeof write extends fc.Arbitrary<infer T> ? T : never;
type Check = typeof check extends fc.Arbitrary<infer T> ? T : never;

function drafted(
  ...drafts: readonly (Draft | undefined)[]
): readonly [Given, readonly (string | undefined)[]] {
  const given: Given = { names: {}, values: {} };
  return [given, drafts.map((draft) => draft?.(given))];
}

function placeholders({ names: all, values }: Given) {
  return {
    ...(Object.keys(all).length > 0 && { ExpressionAttributeNames: all }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

function inputOf(TableName: string, one: OneWrite | Check) {
  const [given, [updateText, conditionText]] = drafted(
    one.does === "update" ? one.update : undefined,
    one.condition,
  );
  const Key = { pk: { S: one.key.pk }, sk: { S: one.key.sk } };
  return {
    TableName,
    Key,
    Item: { ...("item" in one ? inItsPlace(one.item, one.key) : {}), ...Key },
    UpdateExpression: updateText,
    ConditionExpression: conditionText,
    ...placeholders(given),
    ...(conditionText !== undefined && { ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const }),
  };
}

/** DynamoDB promises no order among rows of an index that have the same sort key, so none have. */
function inItsPlace(
  fields: Attributes,
  { pk, sk }: { readonly pk: string; readonly sk: string },
): Attributes {
  return fields.due_sk === undefined
    ? fields
    : { ...fields, due_sk: { S: `${fields.due_sk.S} ${pk} ${sk}` } };
}

function commandOf(TableName: string, one: Exclude<Step, { does: "transact" | "query" }>) {
  if (one.does === "get") {
    return new GetItemCommand({ TableName, Key: { pk: { S: one.key.pk }, sk: { S: one.key.sk } } });
  }
  const { Key, Item, UpdateExpression, ...input } = inputOf(TableName, one);
  if (one.does === "put") return new PutItemCommand({ ...input, Item });
  if (one.does === "delete") return new DeleteItemCommand({ ...input, Key });
  return new UpdateItemCommand({ ...input, Key, UpdateExpression, ReturnValues: "ALL_NEW" });
}

function transactionOf(TableName: string, writes: readonly (OneWrite | Check)[], token: string) {
  const TransactItems = writes.map((one) => {
    const { Key, Item, UpdateExpression, ...input } = inputOf(TableName, one);
    if (one.does === "put") return { Put: { ...input, Item } };
    if (one.does === "delete") return { Delete: { ...input, Key } };
    if (one.does === "update") return { Update: { ...input, Key, UpdateExpression } };
    return { ConditionCheck: { ...input, Key, ConditionExpression: input.ConditionExpression } };
  });
  return new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: token });
}

type QueryStep = Extract<Step, { does: "query" }>;

function queryOf(TableName: string, asked: QueryStep, start: Attributes | undefined) {
  const prefix = asked.index === undefined ? "" : `${asked.index}_`;
  const partition = asked.index === undefined ? partitions[asked.partition] : ["x", "y"][asked.partition];
  const sort = named(`${prefix}sk`);
  const range: Draft = (given) => {
    if (!asked.range) return "";
    const { by, to } = asked.range;
    if (by === "begins_with") return ` AND begins_with(${sort(given)}, ${bound({ S: to })(given)})`;
    const upper = by === "BETWEEN" ? ` AND ${bound({ S: `${to}z` })(given)}` : "";
    return ` AND ${sort(given)} ${by} ${bound({ S: to })(given)}${upper}`;
  };
  const keys: Draft = (given) =>
    `${named(`${prefix}pk`)(given)} = ${bound({ S: partition ?? "" })(given)}${range(given)}`;
  // An index has keys alone, so a filter would have no attributes to evaluate.
  const [given, [KeyConditionExpression, FilterExpression]] = drafted(
    keys,
    asked.index ? undefined : asked.filter,
  );
  return new QueryCommand({
    TableName,
    ...(asked.index === undefined ? { ConsistentRead: true } : { IndexName: asked.index }),
    KeyConditionExpression,
    FilterExpression,
    ...placeholders(given),
    ...(asked.limit !== undefined && { Limit: asked.limit }),
    ...(asked.isCount && { Select: "COUNT" as const }),
    ScanIndexForward: asked.isForward,
    ExclusiveStartKey: start,
  });
}

async function outcomeOf(send: () => Promise<object>): Promise<unknown> {
  try {
    return plain(await send());
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { refused: plainItem(error.Item) };
    if (error instanceof TransactionCanceledException) {
      const reasons = error.CancellationReasons ?? [];
      if (reasons.some(({ Code }) => Code === "ValidationError")) return "invalid";
      return { cancelled: reasons.map(({ Code, Item }) => ({ Code, item: plainItem(Item) })) };
    }
    if (error instanceof Error && error.name === "ValidationException") return "invalid";
    throw error;
  }
}

function plain(answer: object): unknown {
  const {
    Item,
    Items,
    Attributes: after,
    Count,
    ScannedCount,
    LastEvaluatedKey,
  } = answer as Record<string, never>;
  return {
    item: plainItem(Item),
    items: (Items as readonly Attributes[] | undefined)?.map(plainItem),
    after: plainItem(after),
    Count,
    ScannedCount,
    last: plainItem(LastEvaluatedKey),
  };
}

/**
 * Removes the end of a page that is full with the last possible row of the range: DynamoDB returns a key to continue
 * from, which finds nothing; DynamoDB Local knows that the row was the last.
 */
function withoutEnd(said: unknown, asked: object): unknown {
  if (!(asked instanceof QueryCommand) || typeof said !== "object" || said === null) return said;
  const { IndexName: index, ExpressionAttributeValues: values = {} } = asked.input;
  const { last } = said as { last?: Attributes };
  const end = last?.[index === undefined ? "sk" : `${index}_sk`]?.S;
  const isBound = Object.values(values).some(({ S }) => S === end);
  return isBound ? { ...said, last: undefined } : said;
}

/** Sets have no order, and DynamoDB Local returns an empty item where there is none. */
function plainItem(attributes: Attributes | undefined): unknown {
  if (attributes === undefined || Object.keys(attributes).length === 0) return undefined;
  return Object.fromEntries(
    Object.entries(attributes)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, one]) => [name, plainValue(one)]),
  );
}

function plainValue(one: AttributeValue): unknown {
  const set = one.SS ?? one.NS;
  return set === undefined ? one : { set: [...set].sort() };
}

it("answers as DynamoDB Local does, whatever is written and asked", { timeout: 300_000 }, async () => {
  expect.hasAssertions();
  const { client, tableName } = table();
  let number = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
    const model = new DynamoModel();
    for (const pk of partitions) {
      for (const sk of ["#", "ROW#1", "ROW#2", "ä"]) {
        await client.send(
          new DeleteItemCommand({ TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } } }),
        );
      }
    }
    const same = async (asked: object) => {
      // The overloads of `send` are many; all of these are commands.
      const command = asked as Command;
      const said = await outcomeOf(() => model.client.send(command) as Promise<object>);
      const saidByLocal = await outcomeOf(() => client.send(command) as Promise<object>);
      const told = JSON.stringify(command.input, undefined, 1);
      expect(withoutEnd(said, asked), told).toEqual(withoutEnd(saidByLocal, asked));
      return saidByLocal;
    };
    for (const one of steps) {
      if (one.does === "transact") {
        number += 1;
        const command = transactionOf(tableName, one.writes, `token-${number}`);
        await same(command);
        if (one.isRepeated) await same(command);
      } else if (one.does === "query") {
        let start: Attributes | undefined;
        for (let pages = 0; pages < 10; pages += 1) {
          const said = await same(queryOf(tableName, one, start));
          start = (said as { last?: Attributes }).last;
          if (start === undefined) break;
        }
      } else await same(commandOf(tableName, one));
    }
  });
  // The calls are the same each time, so that a commit fails only for its own changes; MODEL_RUNS adds random ones.
  const { MODEL_RUNS: runs } = process.env;
  await fc.assert(property, runs === undefined ? { numRuns: 25, seed: 14 } : { numRuns: Number(runs) });
});
