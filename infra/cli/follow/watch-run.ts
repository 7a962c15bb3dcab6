import { resolve } from "node:path";
import { downloadOutputs } from "../files/download-outputs.ts";
import type { CommandOption } from "../program/command.ts";
import type { Context } from "../program/context.ts";
import { type ExitCode, exitCodes } from "../program/failures.ts";
import { askTwice } from "./ask-twice.ts";
import { type FollowedStep, followRun } from "./follow-run.ts";
import { openLive } from "./live.ts";
import { showEnd } from "./run-end.ts";
import { runView } from "./run-view.ts";

export const downloadOption: CommandOption = {
  flags: "--download <folder>",
  text: "Stores the files that come out of the run there; a name that is taken gets a number.",
};

/** Shows a run until it has ended. Ctrl-C asks whether to cancel it; a second one leaves it running. */
export async function watchRun(context: Context, runId: string, download: unknown): Promise<ExitCode> {
  const { terminal, folder, fetch } = context;
  const { client } = await context.connect();
  const leaving = new AbortController();
  const signal = AbortSignal.any([context.signal, leaving.signal]);
  const view = runView(context);
  const live = openLive({ client });
  let failedStep: FollowedStep | undefined;
  const stopAsking = askTwice(context, {
    question: "Cancel the run? [y/N] (ctrl-C once more leaves it running) ",
    view,
    onYes: async () => {
      const body = { reason: "cancelled on the command line" };
      await client.call("cancelRun", { path: { run_id: runId }, body });
    },
    onLeave: () => leaving.abort(),
  });
  try {
    const run = await followRun({ client, live, signal }, runId, {
      onRun: view.onRun,
      onStep: (step) => {
        if (step.status === "failed" || step.status === "unknown") failedStep = step;
        view.onStep(step);
      },
    });
    view.end();
    if (run === undefined) {
      terminal.err(`the run goes on: das runs watch ${runId}\n`);
      return exitCodes.cancelled;
    }
    const paths: string[] = [];
    if (download !== undefined) {
      const into = resolve(folder, String(download));
      await downloadOutputs({ client, fetch, signal }, run.output_attachment_ids, into, (path) =>
        paths.push(path),
      );
    }
    return showEnd(context, { run, failedStep, paths });
  } finally {
    stopAsking();
    live.stop();
  }
}
