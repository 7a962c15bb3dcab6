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
 * Does a write once, however often it is asked for under one Idempotency-Key; after authentication and validation.
 *
 * What `work` answers is kept as plain JSON for 24 hours and handed out again, so it is ids and small values, and
 * the route makes the same response of it each time. In the mode `transactional` the verb hands `idempotency` to its store;
 * one that must act before that (write a secret) holds the idempotency record itself and releases it when it fails.
 *
 * @throws {DomainError} `request_in_progress` while another attempt works on it, `idempotency_key_reused` for
 * another body or query under the key; and whatever `work` throws.
 */
export async function idempotent<Result>(
  c: HttpContext,
  deps: IdempotentDeps,
  work: (idempotency: Idempotency | undefined) => Promise<Result>,
  mode: IdempotencyMode,
): Promise<Result> {
  const request = await idempotencyOfRequest(c, deps);
  if (request === undefined) return work(undefined);
  const { idempotency } = request;
  try {
    return await (mode === "leased" ? workLeased(deps, idempotency, work) : work(idempotency));
  } catch (error) {
    if (error instanceof AlreadyOnRecord) return await replay<Result>(c, request, error.record, mode);
    if (mode === "leased" || !mayHaveBeenDone(error)) throw error;
    // The first attempt may be what makes this one fail: the machine that a DELETE asks for is deleted.
    const record = await deps.idempotencyRecords.find(idempotency);
    if (record === undefined) throw error;
    return await replay<Result>(c, request, record, mode);
  }
}

function mayHaveBeenDone(error: unknown): boolean {
  if (error instanceof InvalidInput) return true;
  return error instanceof DomainError && error.code !== "insufficient_scope";
}
