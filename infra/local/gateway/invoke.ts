import { setTimeout as sleep } from "node:timers/promises";
import type { EventBody } from "../event-body.ts";

/** `timeout` is the function's own timeout, `throttled` a lack of concurrency. */
export type InvokeResult =
  | { readonly ok: true; readonly payload: unknown }
  | {
      readonly ok: false;
      readonly kind: "timeout" | "crash" | "throttled" | "request_too_large" | "response_too_large" | "error";
      readonly error: unknown;
    };

export type Invoke = (functionName: string, event: unknown, body?: EventBody) => Promise<InvokeResult>;

export type IntegrationResult = InvokeResult | { readonly ok: false; readonly kind: "gateway_timeout" };

/** After the timeout the function continues, as in Lambda, and its response is dropped. Never rejects. */
export async function invokeWithin(
  invocation: Promise<InvokeResult>,
  timeoutMs: number,
): Promise<IntegrationResult> {
  const settled = new AbortController();
  const gaveUp = sleep(timeoutMs, { ok: false, kind: "gateway_timeout" } as const, settled);
  try {
    return await Promise.race([invocation, gaveUp]);
  } catch (error) {
    return { ok: false, kind: "error", error };
  } finally {
    settled.abort();
  }
}
