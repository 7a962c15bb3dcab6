import type { Cursor } from "../execution.ts";
import type { StepUnderWay } from "../execution-store.ts";
import type { Invocation } from "./invocation.ts";
import { type Failure, failure } from "./step-result.ts";

/** Of a step that ends its function each time. */
const triesMax = 3;

/**
 * Counts a try of the step, before anything else is done for it. Whatever ends a function, the step under way is the
 * first of the next invocation: so one that follows another in the same invocation is tried for the first time, which
 * costs no write and is added when it is tried again.
 */
export async function countTry(
  invocation: Invocation,
  { index }: Pick<Cursor, "index">,
): Promise<StepUnderWay> {
  const isFirst = invocation.isContinuation && invocation.failures === 0;
  const under: StepUnderWay = isFirst
    ? { kind: "fresh", tries: 0 }
    : await invocation.deps.executions.countTry({ ...invocation.job, index });
  invocation.tries = under.tries;
  // Without a wait between, this invocation is there because the one before was ended.
  const uncounted = isFirst || invocation.hasWaited ? 0 : 1;
  return { ...under, tries: under.tries + uncounted };
}

/** The step is left for later, or nothing was done for it: its tries are counted anew. */
export async function releaseTry(invocation: Invocation, { index }: Pick<Cursor, "index">): Promise<void> {
  if (invocation.tries === 0) return;
  await invocation.deps.executions.releaseTry({ ...invocation.job, index });
  invocation.tries = 0;
}

/**
 * How the run ends when the step has ended its function too often; tries that failed and said so did not.
 *
 * @param what the step does.
 */
export function triesOver(
  { failures }: Pick<Invocation, "failures">,
  { tries }: Pick<StepUnderWay, "tries">,
  { index }: Pick<Cursor, "index">,
  what: string,
): Failure | undefined {
  if (tries - failures <= triesMax) return undefined;
  return failure("step_keeps_failing", `step ${index} (${what}) ended its function ${triesMax} times`);
}
