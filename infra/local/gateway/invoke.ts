/**
 * The result of one synchronous invocation of a function.
 *
 * `payload` is the JSON value that the handler returned. `timeout` is the function's own timeout, `throttled`
 * a lack of concurrency, `too_large` a response above Lambda's payload limit.
 */
export type InvokeResult =
  | { readonly ok: true; readonly payload: unknown }
  | {
      readonly ok: false;
      readonly kind: "timeout" | "crash" | "throttled" | "too_large" | "error";
      readonly error: unknown;
    };

/** Invokes a function of the template by its name. */
export type Invoke = (functionName: string, event: unknown) => Promise<InvokeResult>;

export type IntegrationResult = InvokeResult | { readonly ok: false; readonly kind: "gateway_timeout" };

/**
 * Waits for a function as long as a gateway does. Past that the function goes on, as in Lambda, and its answer
 * is dropped. Never rejects.
 */
export async function invokeWithin(
  invoke: Invoke,
  functionName: string,
  event: unknown,
  timeoutMs: number,
): Promise<IntegrationResult> {
  let timer: NodeJS.Timeout | undefined;
  const gaveUp = new Promise<IntegrationResult>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, kind: "gateway_timeout" }), timeoutMs);
  });
  try {
    return await Promise.race([invoke(functionName, event), gaveUp]);
  } catch (error) {
    return { ok: false, kind: "error", error };
  } finally {
    clearTimeout(timer);
  }
}
