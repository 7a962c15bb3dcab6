import { findKind } from "../action/action.ts";
import type { Run } from "../run/run.ts";
import { isTerminal } from "../run/run-status.ts";
import type { RunStep } from "../run-step/run-step.ts";

export interface HowFar {
  /** The summary is for people, and null if the steps have expired. */
  readonly summary: string | null;
  /** Null while the run has not ended, or if the answer is unknown. */
  readonly isSafeToRetry: boolean | null;
}

export interface StepsOfAttempt {
  /** Steps are oldest first. */
  readonly steps: readonly RunStep[];
  /** True if some of the steps may have expired. */
  readonly isCut: boolean;
}

/** Says how far a run got, and whether a retry would repeat an action. */
export function howFar(run: Run, { steps, isCut }: StepsOfAttempt): HowFar {
  if (run.status === "scheduling") return { summary: "it has not begun", isSafeToRetry: null };
  if (isCut || (steps.length === 0 && hasUsage(run))) return { summary: null, isSafeToRetry: null };
  const isKnown = isTerminal(run.status) && run.executor === "service";
  return {
    summary: [doneWords(steps), ...savedWords(steps)].join(", "),
    isSafeToRetry: isKnown ? !steps.some(leftSomething) : null,
  };
}

function hasUsage({ usageMetadata }: Run): boolean {
  const { replayed_steps: replayed, agentic_steps: agentic } = usageMetadata ?? {};
  return Number(replayed ?? 0) + Number(agentic ?? 0) > 0;
}

function leftSomething(step: RunStep): boolean {
  if (step.source === "service") return isExport(step);
  return step.source !== "reset" && wasSent(step) && findKind(step.action.type)?.mayChange !== false;
}

/** A failed step may have been sent; a step whose screen was not found was not. */
function wasSent({ status, match }: RunStep): boolean {
  return status === "failed" ? (match?.reason ?? null) === null : status !== "skipped";
}

/** The service itself reads only exports. */
function isExport({ source, action, status }: RunStep): boolean {
  return source === "service" && action.type === "read_file" && status === "done";
}

function doneWords(steps: readonly RunStep[]): string {
  const own = steps.filter(({ source }) => source !== "service" && source !== "reset");
  const last = own.at(-1);
  if (last === undefined) return "nothing done yet";
  const { inAttempt } = last;
  if (inAttempt?.ofElements === true) return `${elementsDone(last, inAttempt.step)} of ${inAttempt.of} done`;
  return `${counted(own.filter(({ status }) => status === "done").length, "step")} done`;
}

/** A replayed element is done with its last step; an element that a model does, only when the next one begins. */
function elementsDone({ source, status, trail }: RunStep, element: number): number {
  const { kind } = trail.next ?? {};
  const isWhole = source === "replay" && (status === "done" || status === "skipped");
  return isWhole && kind !== "piece" && kind !== "again" ? element : element - 1;
}

/** Nothing is said where nothing is kept: what the desktop's programs saved is not known. */
function savedWords(steps: readonly RunStep[]): readonly string[] {
  const values = steps.filter((step) => step.status === "done" && typeof step.action.save_as === "string");
  const names = new Set(values.map(({ action }) => action.save_as));
  const files = steps.filter(isExport).length;
  return [
    ...(names.size === 0 ? [] : [`${counted(names.size, "value")} saved`]),
    ...(files === 0 ? [] : [`${counted(files, "file")} exported`]),
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
