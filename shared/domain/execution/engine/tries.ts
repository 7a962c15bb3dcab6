import type { Cursor } from "../execution.ts";
import type { StepUnderWay } from "../execution-store.ts";
import { type Failure, failure } from "../replay/step-result.ts";
import type { World } from "../world.ts";

/** Of a step that ends its function each time. */
const triesMax = 3;

/**
 * How the run ends when the step has ended its function too often; tries that failed and said so did not.
 *
 * @param what the step does.
 */
export function triesOver(
  { failures }: Pick<World, "failures">,
  { tries }: Pick<StepUnderWay, "tries">,
  { index }: Pick<Cursor, "index">,
  what: string,
): Failure | undefined {
  if (tries - failures <= triesMax) return undefined;
  return failure("step_keeps_failing", `step ${index} (${what}) ended its function ${triesMax} times`);
}
