import type { IncludedRelated, Run } from "../../../../shared/contract/run/run.ts";
import type { RunStep } from "../../../../shared/contract/run/run-step.ts";
import type { RunStatus } from "../../../../shared/vocabulary/runs.ts";
import { nameOf } from "../parts/machine-name.ts";

const ended: readonly RunStatus[] = ["success", "error", "task_failed", "cancelled"];

export function hasEnded({ status }: Pick<Run, "status">): boolean {
  return ended.includes(status);
}

/** The names of the resources beside a run, by their ids. */
export function namesOf(included: readonly IncludedRelated[] = []): ReadonlyMap<string, string> {
  return new Map(
    included.map((each) => [each.id, "hostname" in each ? nameOf(each) : each.name || "Workflow"]),
  );
}

/** Such as "click the field Customer", or "type {customer}". */
export function actionWords(action: RunStep["action"]): string {
  const { type, target } = action;
  const detail = [action.text, action.keys, action.question, action.path, action.program, action.reason].find(
    (each) => typeof each === "string" && each !== "",
  );
  const words = typeof target === "string" && target !== "" ? target : detail;
  return [String(type).replaceAll("_", " "), words].filter((part) => part !== undefined).join(" ");
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The places on the screen that an action is about: a drag's two. */
export function pointsOf(action: RunStep["action"]): readonly Point[] {
  const { x, y, start_x, start_y, to_x, to_y } = action;
  const pairs = [
    [x, y],
    [start_x, start_y],
    [to_x, to_y],
  ];
  return pairs.flatMap(([left, top]) =>
    typeof left === "number" && typeof top === "number" ? [{ x: left, y: top }] : [],
  );
}
