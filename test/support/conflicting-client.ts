import { setTimeout } from "node:timers/promises";
import {
  BatchGetItemCommand,
  type DynamoDBClient,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import type { DynamoModel } from "./dynamo-model/dynamo-model.ts";

/** What calls take in a Region, by and large. */
const callMs = 5;
const readManyMs = 10;
const transactionMs = 20;

/**
 * The model of DynamoDB with the time that calls take. A transaction holds its items meanwhile, also those that it only
 * checks: another one that names one of them is refused, as DynamoDB does and DynamoDB Local never does.
 */
export class ConflictingClient {
  readonly client: Pick<DynamoDBClient, "send">;
  calls = 0;
  conflicts = 0;
  readonly #model: DynamoModel;
  readonly #held = new Set<string>();

  constructor(model: DynamoModel) {
    this.#model = model;
    const send = async (command: unknown) => await this.#send(command);
    // The overloads of `send` are many; each command is answered with its own output.
    this.client = { send } as Pick<DynamoDBClient, "send">;
  }

  async #send(command: unknown): Promise<object> {
    this.calls += 1;
    if (command instanceof TransactWriteItemsCommand) return await this.#transact(command);
    const isMany = command instanceof QueryCommand || command instanceof BatchGetItemCommand;
    await setTimeout(isMany ? readManyMs : callMs);
    return this.#model.answer(command);
  }

  async #transact(command: TransactWriteItemsCommand): Promise<object> {
    const names = (command.input.TransactItems ?? []).map(nameOf);
    if (names.some((name) => this.#held.has(name))) {
      this.conflicts += 1;
      await setTimeout(callMs);
      throw new TransactionCanceledException({
        $metadata: {},
        message: "Transaction cancelled",
        CancellationReasons: names.map((name) => ({
          Code: this.#held.has(name) ? "TransactionConflict" : "None",
        })),
      });
    }
    for (const name of names) this.#held.add(name);
    try {
      await setTimeout(transactionMs);
      return this.#model.answer(command);
    } finally {
      for (const name of names) this.#held.delete(name);
    }
  }
}

function nameOf({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): string {
  const key = Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? {};
  return `${key.pk?.S} ${key.sk?.S}`;
}
