import type { Context } from "../program/context.ts";
import { type ExitCode, exitCodes } from "../program/failures.ts";
import { printable } from "../terminal/printable.ts";
import { styled } from "../terminal/style.ts";
import type { FollowedRun, FollowedStep } from "./follow-run.ts";
import { stepLine } from "./run-words.ts";

export interface EndedRun {
  readonly run: FollowedRun;
  /** The last step that was not done. */
  readonly failedStep: FollowedStep | undefined;
  /** Where files were stored. */
  readonly paths: readonly string[];
}

/** Shows how a run has ended, and the command that comes next. @returns the code that says so to programs. */
export function showEnd({ terminal, form }: Pick<Context, "terminal" | "form">, ended: EndedRun): ExitCode {
  const { run, paths } = ended;
  const isSuccess = run.status === "success";
  if (form !== "table") {
    terminal.out(`${JSON.stringify({ event: "end", run, files: paths })}\n`);
  } else {
    const lines = isSuccess ? successLines(run, paths) : failureLines(ended);
    const [first = "", ...rest] = lines;
    const colour = isSuccess ? "green" : "red";
    terminal.out(`${[styled(colour, first, terminal.hasColour), ...rest].join("\n")}\n`);
  }
  return isSuccess ? exitCodes.done : exitCodes.failed;
}

function successLines(run: FollowedRun, paths: readonly string[]): readonly string[] {
  return [`success${timeOf(run)}`, ...outputLines(run, paths)];
}

function failureLines({ run, failedStep, paths }: EndedRun): readonly string[] {
  const code = run.error_code === null ? "" : ` (${printable(run.error_code)})`;
  const isCancelled = run.status === "cancelled";
  return [
    `${run.status.replaceAll("_", " ")}${code}${timeOf(run)}`,
    ...run.error.map((sentence) => printable(sentence, { keepsLines: true })),
    ...(failedStep === undefined || isCancelled ? [] : [`at step${stepLine(failedStep)}`]),
    ...outputLines(run, paths),
    `next: das runs retry ${run.id}, or das runs steps ${run.id} for all that was done`,
  ];
}

/** The data as JSON, which programs may read, too. */
function outputLines(run: FollowedRun, paths: readonly string[]): readonly string[] {
  const { output_data: data, output_attachment_ids: files } = run;
  const shown =
    data === null || data === undefined
      ? []
      : [printable(JSON.stringify(data, null, 2), { keepsLines: true })];
  if (paths.length > 0) return [...shown, ...paths.map((path) => `stored ${printable(path)}`)];
  if (files.length === 0) return shown;
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return [...shown, `${count}: das runs watch ${run.id} --download FOLDER`];
}

function timeOf({ started_at, ended_at }: FollowedRun): string {
  if (started_at === null || ended_at === null) return "";
  const seconds = Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1_000);
  return seconds < 60 ? ` after ${seconds} s` : ` after ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
