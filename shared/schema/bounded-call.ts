import { createContext, Script } from "node:vm";

export type BoundedOutcome<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "too_slow" };

const context = createContext({ work: undefined });
const script = new Script("work()");

/**
 * Does synchronous work, and cuts it short when it takes longer: wherever it is, also inside a regular expression.
 * Nothing but V8's own interruption does that, and `vm` is what offers it; the work is this realm's own, so it is no
 * sandbox. What was cut short must not be used again.
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
