import { failure } from "../../run/run-ending.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { TrajectoryElement } from "../../trajectory/trajectory-element.ts";
import type { Cursor } from "../execution.ts";
import { beginRepair } from "../model/repair.ts";
import { beginRound } from "../step/rounds.ts";
import { afterLeftOut, ends, next, placeAfter, type StepResult } from "../step/step-result.ts";
import { durableSeconds } from "../step/time-left.ts";
import { afterReading } from "./read-element.ts";

export function followElement(
  cursor: Cursor,
  { action, optional }: TrajectoryElement,
  { status, error, trail: { next: following } }: RunStep,
): StepResult {
  switch (following?.kind) {
    case "round":
      return beginRound(cursor, following);
    case "end":
      return ends(cursor, failure(following.errorCode, error ?? "the step failed"));
    case "model":
      return beginRepair(cursor, following);
    case "replay":
      throw new Error("a replayed step does not say where the replay goes on");
    case "again":
    case "piece":
      return next(placeAfter(cursor, following));
    case undefined:
      if (action.type === "read") return afterReading(cursor);
      if (status === "skipped" && optional === true) return next(afterLeftOut(cursor));
      return next(placeAfter(cursor), durableSeconds(action));
  }
}
