import type { RunStatus } from "../../vocabulary/runs.ts";
import type { Run } from "./run.ts";

export interface EndEffects {
  /** `used` restarts the session's idle time. */
  readonly session: "ends" | "used" | "none";
  /** Later steps of the chain must not begin, although the session continues. */
  readonly stopsChain: boolean;
}

/** A failed chain ends its session, unless it joined or keeps the session; its later steps are then stopped instead. */
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
