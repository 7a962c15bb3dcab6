import type { DynamoTable, StoreDeps } from "./dynamo-table.ts";

export abstract class DynamoStore<Deps extends Pick<StoreDeps, "table"> = Pick<StoreDeps, "table">> {
  protected readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  protected get table(): DynamoTable {
    return this.deps.table;
  }
}
