import { addressOf } from "../../../../shared/client/build-request.ts";
import type { SampledOperation } from "../../code/samples.ts";
import type { EnteredCall } from "./read-form.ts";

export interface SentCall {
  readonly response: Response;
  readonly ms: number;
  /** Absent where the operation takes none. */
  readonly idempotencyKey?: string;
}

/** Each call is a new intent: a key of its own, so that a second one is never the first one's repeat. */
export async function sendCall(
  operation: SampledOperation,
  { call, headers: entered, file }: EnteredCall,
  credentials: string,
): Promise<SentCall> {
  const { method, template, isPublic, takesIdempotencyKey } = operation;
  const headers = new Headers(entered);
  if (!isPublic) headers.set("Authorization", `Bearer ${credentials}`);
  const idempotencyKey = takesIdempotencyKey ? crypto.randomUUID() : undefined;
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  if (call.body !== undefined) headers.set("Content-Type", "application/json");
  const startedMs = performance.now();
  const response = await fetch(addressOf(location.origin, template, call), {
    method,
    headers,
    body: file === undefined ? (call.body === undefined ? null : JSON.stringify(call.body)) : formOf(file),
    // A file's address is in the bucket, which the page's policy does not let it read.
    redirect: "manual",
    cache: "no-store",
  });
  return { response, ms: performance.now() - startedMs, ...(idempotencyKey && { idempotencyKey }) };
}

function formOf({ field, content }: NonNullable<EnteredCall["file"]>): FormData {
  const form = new FormData();
  form.append(field, content);
  return form;
}
