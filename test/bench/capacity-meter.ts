import {
  BatchGetItemCommand,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { type Attributes, itemBytes } from "../support/dynamo-model/attribute-values.ts";
import type { DynamoModel } from "../support/dynamo-model/dynamo-model.ts";
import { indexNames } from "../support/dynamo-model/stored-items.ts";

/** Billed capacity units. */
export interface Capacity {
  readonly reads: number;
  readonly writes: number;
}

/**
 * Computes the billed units of calls to the model from the sizes of items, because DynamoDB Local counts whole items
 * for the rows of an index. A write whose condition fails is billed as well.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export class CapacityMeter {
  readonly #model: DynamoModel;
  readonly #answer: (command: unknown) => object;
  #reads = 0;
  #writes = 0;

  constructor(model: DynamoModel) {
    this.#model = model;
    this.#answer = model.answer.bind(model);
    model.answer = (command) => this.#measured(command);
  }

  async of(work: () => Promise<unknown>): Promise<Capacity> {
    const [reads, writes] = [this.#reads, this.#writes];
    await work();
    return { reads: this.#reads - reads, writes: this.#writes - writes };
  }

  #measured(command: unknown): object {
    this.#reads += this.#readUnits(command);
    const keys = writtenKeys(command);
    const before = keys.map((key) => this.#model.items.get(key));
    try {
      return this.#answer(command);
    } finally {
      const factor = command instanceof TransactWriteItemsCommand ? 2 : 1;
      for (const [at, key] of keys.entries()) {
        const after = this.#model.items.get(key);
        this.#writes += factor * itemUnits(before[at], after) + indexUnits(before[at], after);
      }
    }
  }

  #readUnits(command: unknown): number {
    if (command instanceof GetItemCommand) {
      return readUnits([this.#model.items.get(command.input.Key ?? {})], command.input.ConsistentRead);
    }
    if (command instanceof BatchGetItemCommand) {
      const requests = Object.values(command.input.RequestItems ?? {});
      // Each item is rounded up by itself, and read whole whatever is projected.
      return requests
        .flatMap(({ Keys = [], ConsistentRead }) =>
          Keys.map((key) => readUnits([this.#model.items.get(key)], ConsistentRead)),
        )
        .reduce((sum, units) => sum + units, 0);
    }
    if (command instanceof QueryCommand) {
      const { Select: _, ...input } = command.input;
      const { Items = [] } = this.#answer(new QueryCommand(input)) as { Items?: readonly Attributes[] };
      return readUnits(Items, input.ConsistentRead);
    }
    return 0;
  }
}

function readUnits(items: readonly (Attributes | undefined)[], isConsistent: boolean | undefined): number {
  const bytes = items.reduce((sum, item) => sum + itemBytes(item ?? {}), 0);
  return Math.max(Math.ceil(bytes / 4_096), 1) / (isConsistent === true ? 1 : 2);
}

function itemUnits(before: Attributes | undefined, after: Attributes | undefined): number {
  return Math.max(Math.ceil(Math.max(itemBytes(before ?? {}), itemBytes(after ?? {})) / 1_024), 1);
}

/** Units for index rows of keys alone: a put or a delete is one unit, a changed key is two. */
function indexUnits(before: Attributes | undefined, after: Attributes | undefined): number {
  return indexNames
    .map((index) => [before, after].map((item) => rowOf(item, index)))
    .filter(([was, is]) => was !== is)
    .flat()
    .filter((row) => row !== undefined).length;
}

function rowOf(item: Attributes | undefined, index: string): string | undefined {
  const [pk, sk] = [item?.[`${index}_pk`], item?.[`${index}_sk`]];
  return pk && sk && `${pk.S} ${sk.S}`;
}

interface WriteInput {
  readonly Key?: Attributes | undefined;
  readonly Item?: Attributes | undefined;
}

function writtenKeys(command: unknown): readonly Attributes[] {
  if (command instanceof TransactWriteItemsCommand) {
    return (command.input.TransactItems ?? []).flatMap((item) =>
      Object.values(item as Readonly<Record<string, WriteInput>>).map(keyOf),
    );
  }
  const isRead =
    command instanceof GetItemCommand ||
    command instanceof BatchGetItemCommand ||
    command instanceof QueryCommand;
  return isRead ? [] : [keyOf((command as { readonly input: WriteInput }).input)];
}

function keyOf({ Key, Item }: WriteInput): Attributes {
  return Key ?? Item ?? {};
}
