import { DomainError } from "../../domain/errors.ts";
import { type Claim, ClaimTaken } from "../../domain/idempotency/claim.ts";
import { InvalidInput } from "../../domain/invalid-input.ts";
import { claimOfRequest } from "./claim-of-request.ts";
import type { OnceDeps } from "../http-deps.ts";
import type { HttpContext } from "../http-env.ts";
import { replay } from "./replay.ts";
import { workHeld } from "./work-held.ts";

/**
 * When the claim goes on record: `with_write` in the transaction that has the effect, put there by the verb's
 * store; `held` before the work, for an effect outside of the table, such as a desktop's.
 */
export type OnceMode = "with_write" | "held";

/**
 * Does a write once, however often it is asked for under one Idempotency-Key; after authentication and validation.
 *
 * What `work` answers is kept as plain JSON for 24 hours and handed out again, so it is ids and small values, and
 * the route makes the same response of it each time. In the mode `with_write` the verb hands `claim` to its store;
 * one that must act before that (write a secret) holds the claim itself and releases it when it fails.
 *
 * @throws {DomainError} `request_in_progress` while another attempt works on it, `idempotency_key_reused` for
 * another body or query under the key; and whatever `work` throws.
 */
export async function once<Result>(
  c: HttpContext,
  deps: OnceDeps,
  work: (claim: Claim | undefined) => Promise<Result>,
  mode: OnceMode,
): Promise<Result> {
  const request = await claimOfRequest(c, deps);
  if (request === undefined) return work(undefined);
  const { claim } = request;
  try {
    return await (mode === "held" ? workHeld(deps, claim, work) : work(claim));
  } catch (error) {
    if (error instanceof ClaimTaken) return await replay<Result>(c, request, error.record, mode);
    if (mode === "held" || !mayHaveBeenDone(error)) throw error;
    // The first attempt may be what makes this one fail: the machine that a DELETE asks for is deleted.
    const record = await deps.claims.find(claim);
    if (record === undefined) throw error;
    return await replay<Result>(c, request, record, mode);
  }
}

function mayHaveBeenDone(error: unknown): boolean {
  if (error instanceof InvalidInput) return true;
  return error instanceof DomainError && error.code !== "insufficient_scope";
}
