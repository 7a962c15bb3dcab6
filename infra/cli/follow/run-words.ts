import { printable } from "../terminal/printable.ts";
import { relativeTime } from "../terminal/relative-time.ts";
import type { FollowedRun, FollowedStep } from "./follow-run.ts";

/** The state of a run that has not ended, in a line. */
export function stateOf(run: FollowedRun, nowMs: number): string {
  if (run.held !== null) return heldWords(run.held, nowMs);
  if (run.status === "running")
    return `runs${run.machine_id === null ? "" : ` on the machine ${run.machine_id}`}`;
  const { waiting_reason: reason, queue_position: ahead } = run;
  const why = reason === null ? "for a machine" : `(${reason.replaceAll("_", " ")})`;
  return `waits ${why}${ahead === null || ahead === 0 ? "" : `, ${ahead} ahead`}`;
}

function heldWords({ by, reason, until }: NonNullable<FollowedRun["held"]>, nowMs: number): string {
  const end = `until ${until} (${relativeTime(Date.parse(until), nowMs)})`;
  if (by.kind === "model") return `the model asks, ${end}: ${printable(reason ?? "it needs a person")}`;
  const why = reason === null ? "" : `: ${printable(reason)}`;
  return `held by the ${by.kind} ${by.id ?? ""} ${end}${why}`;
}

/** What was done, on what, and how that ended. */
export function stepLine(step: Pick<FollowedStep, "index" | "action" | "status" | "error">): string {
  const { index, status, error } = step;
  const outcome = status === "done" ? "" : ` [${status}]`;
  const failure = error === null ? "" : `: ${printable(error)}`;
  return `${String(index).padStart(3)}  ${actionWords(step.action)}${outcome}${failure}`;
}

/** The model's words, behind the step that they are about. */
export function stepWords({ text }: FollowedStep): readonly string[] {
  if (text === null || text.trim() === "") return [];
  return printable(text.trim(), { keepsLines: true })
    .split("\n")
    .map((line) => `     ${line}`);
}

/** Fields that say most, in this order; others are for programs. */
const toldFields = ["target", "program", "text", "keys", "seconds", "direction", "path", "filename"] as const;

function actionWords(action: Readonly<Record<string, unknown>>): string {
  const type = printable(String(action.type ?? "step")).replaceAll("_", " ");
  const told = toldFields
    .map((name) => action[name])
    .find((value) => ["string", "number"].includes(typeof value));
  const { x, y } = action;
  const place = typeof x === "number" && typeof y === "number" ? `at ${x}, ${y}` : "";
  const on = told === undefined ? place : printable(String(told));
  return on === "" ? type : `${type} ${on}`;
}
