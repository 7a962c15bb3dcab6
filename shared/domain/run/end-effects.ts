import type { Run } from "./run.ts";
import type { RunStatus } from "./run-status.ts";

/** What a run's end does beyond the run itself; that it leaves its queue, or its machine, goes without saying. */
export interface EndEffects {
  /** `used`: the time after which it counts as idle begins anew. */
  readonly session: "ends" | "used" | "none";
  /** Later steps of its chain are not to begin, though the session goes on. */
  readonly stopsChain: boolean;
}

/**
 * A session ends with the run that was to release it, however that ended, and with a chain that fails; a chain that
 * joined a session, or keeps its own, stops in it instead.
 *
 * @param run as it was before.
 */
export function effectsOfEnd(
  run: Pick<Run, "status" | "sessionId" | "chainId" | "chainKeepsSession" | "continueOnFailure">,
  end: { readonly status: RunStatus; readonly releaseSessionAfter: boolean },
): EndEffects {
  if (run.sessionId === null) return { session: "none", stopsChain: false };
  if (end.releaseSessionAfter) return { session: "ends", stopsChain: false };
  const failsChain = run.chainId !== null && end.status !== "success" && !run.continueOnFailure;
  if (failsChain && !run.chainKeepsSession) return { session: "ends", stopsChain: false };
  return { session: run.status === "running" ? "used" : "none", stopsChain: failsChain };
}
