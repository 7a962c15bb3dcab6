import { downloadOption, watchRun } from "../../follow/watch-run.ts";
import type { Command } from "../../program/command.ts";

export const watchRunCommand: Command = {
  noun: "runs",
  verb: "watch",
  summary: "Shows a run until it has ended",
  description:
    "Steps as they are done, the model's words, and what is asked of a person. With --json each event is a line. Ctrl-C asks whether to cancel the run; a second one leaves it running. The code is 0 after a success, 1 after any other end",
  arguments: [{ name: "run_id", text: "The run's id." }],
  options: [downloadOption],
  examples: ["das runs watch RUN_ID", "das runs watch RUN_ID --download results"],
  operations: ["getRun", "listRunSteps", "createLiveTicket"],
  run: async (context, { words: [runId = ""], options }) => await watchRun(context, runId, options.download),
};
