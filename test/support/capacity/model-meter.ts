import { QueryCommand } from "@aws-sdk/client-dynamodb";
import type { Attributes } from "../dynamo-model/attribute-values.ts";
import type { DynamoModel } from "../dynamo-model/dynamo-model.ts";
import { type Capacity, capacityOf, keysOf, type TableCall } from "./capacity.ts";

/** Sums the billed units of calls to the model. */
export class ModelMeter {
  readonly #model: DynamoModel;
  readonly #answer: (command: unknown) => object;
  #reads = 0;
  #writes = 0;

  constructor(model: DynamoModel) {
    this.#model = model;
    this.#answer = model.answer.bind(model);
    model.answer = (command) => this.#measured(command as { readonly input: object });
  }

  async of(work: () => Promise<unknown>): Promise<Capacity> {
    const [reads, writes] = [this.#reads, this.#writes];
    await work();
    return { reads: this.#reads - reads, writes: this.#writes - writes };
  }

  #measured(command: { readonly input: object }): object {
    const call = { operation: command.constructor.name.replace(/Command$/, ""), input: command.input };
    const items = () => keysOf(call).map((key) => this.#model.items.get(key));
    const [before, queried] = [items(), this.#queried(call)];
    try {
      return this.#answer(command);
    } finally {
      const { reads, writes } = capacityOf(call, { before, after: items(), queried });
      this.#reads += reads;
      this.#writes += writes;
    }
  }

  #queried({ operation, input }: TableCall): readonly Attributes[] {
    if (operation !== "Query") return [];
    const { Select: _, ...rest } = input as QueryCommand["input"];
    return (this.#answer(new QueryCommand(rest)) as { Items?: readonly Attributes[] }).Items ?? [];
  }
}
