import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import type { Parts, Transacted } from "../table/transaction.ts";
import { transactIdempotent } from "./transact-idempotent.ts";

export abstract class IdempotentStore<Deps extends StoreDeps = StoreDeps> extends DynamoStore<Deps> {
  /** @throws {AlreadyOnRecord} */
  protected async transact<Name extends string>(
    idempotency: Idempotency | undefined,
    result: unknown,
    parts: Parts<Name>,
  ): Promise<Transacted<Name>> {
    return await transactIdempotent(this.table, parts, { idempotency, result, nowMs: this.deps.clock.now() });
  }
}
