import type { IdempotencyMode } from "../../contract/operations/operation.ts";
import { DomainError } from "../../domain/errors.ts";
import { AlreadyOnRecord, type Idempotency } from "../../domain/idempotency/idempotency.ts";
import { InvalidInput } from "../../domain/invalid-input.ts";
import type { IdempotentDeps } from "../http-deps.ts";
import type { HttpContext } from "../http-env.ts";
import { idempotencyOfRequest } from "./idempotency-of-request.ts";
import { replay } from "./replay.ts";
import { workLeased } from "./work-leased.ts";

/**
 * The result of `work`, ids and small values, is kept as JSON for 24 hours and presented again for each repeat. In the
 * mode `transactional` the verb passes `idempotency` to its store; a verb with an earlier effect leases it.
 *
 * @throws {DomainError} `request_in_progress`, or `idempotency_key_reused` for another body or query.
 */
export async function idempotent<Result>(
  c: HttpContext,
  deps: IdempotentDeps,
  work: (idempotency: Idempotency | undefined) => Promise<Result>,
  mode: IdempotencyMode,
): Promise<Result> {
  const request = await idempotencyOfRequest(c, deps);
  if (request === undefined) return work(undefined);
  await c.get("admission");
  const { idempotency } = request;
  try {
    return await (mode === "leased" ? workLeased(deps, idempotency, work) : work(idempotency));
  } catch (error) {
    if (error instanceof AlreadyOnRecord) return await replay<Result>(c, request, error.record, mode);
    if (mode === "leased" || !mayHaveBeenDone(error)) throw error;
    // The first attempt may be the reason for this failure: a repeated DELETE finds no machine.
    const record = await deps.idempotencyRecords.find(idempotency);
    if (record === undefined) throw error;
    return await replay<Result>(c, request, record, mode);
  }
}

function mayHaveBeenDone(error: unknown): boolean {
  if (error instanceof InvalidInput) return true;
  return error instanceof DomainError && error.code !== "insufficient_scope";
}
