import type { Cause, RunFacts } from "../facts.ts";
import { causeOfEnd } from "./ended.ts";
import { causeWhileRunning } from "./running.ts";
import { causeOfWaiting } from "./waiting.ts";

/** Decides from the facts alone why the run is where it is. */
export function causeOf(facts: RunFacts): Cause {
  switch (facts.run.status) {
    case "scheduling":
      return causeOfWaiting(facts);
    case "running":
      return causeWhileRunning(facts);
    default:
      return causeOfEnd(facts);
  }
}
