import { createContext, Script } from "node:vm";

export type BoundedOutcome<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "too_slow" };

const context = createContext({ work: undefined });
const script = new Script("work()");

/**
 * Does synchronous work and interrupts it when it takes too long, even inside a regular expression. Only V8's own
 * interruption can do that, which `vm` offers; the work runs in this realm, so it is no sandbox. Do not use again what
 * was interrupted.
 *
 * Source: https://nodejs.org/docs/latest-v24.x/api/vm.html#scriptrunincontextcontextifiedobject-options
 *
 * @throws what the work throws.
 */
export function callBounded<T>(work: () => T, timeoutMs: number): BoundedOutcome<T> {
  let value: { readonly result: T } | undefined;
  context.work = () => {
    value = { result: work() };
  };
  try {
    script.runInContext(context, { timeout: timeoutMs });
  } catch (error) {
    if (isTimeout(error)) return { kind: "too_slow" };
    throw error;
  } finally {
    context.work = undefined;
  }
  if (value === undefined) throw new Error("the work did not end");
  return { kind: "done", value: value.result };
}

/** The error is of the context's realm, so it is no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
