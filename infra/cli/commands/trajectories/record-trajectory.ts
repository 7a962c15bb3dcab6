import { ApiError } from "../../../../shared/client/api-error.ts";
import type { CallResponse } from "../../../../shared/client/call-types.ts";
import { recordingSeconds } from "../../../../shared/vocabulary/recordings.ts";
import { askTwice } from "../../follow/ask-twice.ts";
import { Changes } from "../../follow/changes.ts";
import type { Command } from "../../program/command.ts";
import type { Context } from "../../program/context.ts";
import { type ExitCode, exitCodes, sentenceOf, UsageError } from "../../program/failures.ts";
import { sentences } from "../../terminal/sentences.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type FollowedRecording, followRecording } from "./follow-recording.ts";

export const recordTrajectoryCommand: Command = {
  noun: "trajectories",
  verb: "record",
  summary: "Records what is done on a machine, and makes a trajectory of it",
  description:
    "Act on the machine in the console, or with das machines click, type and key in another terminal with the same key. Enter finishes the recording, ctrl-C asks whether to discard it. It is extended for as long as this command runs",
  arguments: [{ name: "machine_id", text: "The machine, which is connected and has no run." }],
  options: [
    { flags: "--workflow <id>", text: "The workflow that the trajectory is of.", isRequired: true },
    { flags: "--name <text>", text: "The trajectory's name.", preset: "the time of the recording" },
    {
      flags: "--seconds <number>",
      text: "Time after which the recording expires if this command ends without finishing it.",
      preset: `${recordingSeconds.default}`,
    },
  ],
  examples: ['das trajectories record MACHINE_ID --workflow WORKFLOW_ID --name "Enters a customer"'],
  operations: [
    "createRecording",
    "extendRecording",
    "finishRecording",
    "discardRecording",
    "listRecordedSteps",
  ],
  run: async (context, { words: [machine_id = ""], options }) => {
    const { terminal, form } = context;
    if (!terminal.isInteractive) {
      throw new UsageError("record needs a terminal; programs use recordings create, finish and discard");
    }
    const seconds = secondsOf(options.seconds);
    const { client } = await context.connect();
    const recording = await client.call("createRecording", {
      body: { machine_id, workflow_id: String(options.workflow), seconds },
    });
    if (form === "table") terminal.out(`recording ${recording.id}\n`);
    terminal.err("Act on the machine. Enter finishes the recording, ctrl-C discards it.\n");
    return await record({ context, client, recording, seconds, name: options.name as string | undefined });
  },
};

interface Work extends FollowedRecording {
  readonly context: Context;
  readonly name: string | undefined;
}

function secondsOf(given: unknown): number {
  if (given === undefined) return recordingSeconds.default;
  const seconds = Number(given);
  const { min, max } = recordingSeconds;
  if (Number.isInteger(seconds) && seconds >= min && seconds <= max) return seconds;
  throw new UsageError(`--seconds takes a whole number from ${min} to ${max}, not ${given}`);
}

async function record(work: Work): Promise<ExitCode> {
  const { context, client, recording } = work;
  const { terminal, form } = context;
  const path = { recording_id: recording.id };
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const enter = new EnterKey(terminal);
  let isDiscarded = false;
  const stopAsking = askTwice(context, {
    question: "Discard the recording? [y/N] (ctrl-C once more leaves it as it is) ",
    view: enter,
    onYes: async () => {
      await client.call("discardRecording", { path });
      isDiscarded = true;
      ending.abort();
    },
    onLeave: () => ending.abort(),
  });
  const showing = followRecording(work, signal);
  try {
    const made = await finishOnEnter(work, enter, signal);
    if (made !== undefined) {
      terminal.err(sentences(made.warnings ?? []));
      if (form !== "table") terminal.out(`${JSON.stringify({ event: "end", trajectory: made })}\n`);
      else terminal.out(`trajectory ${made.id}\nnext: das trajectories verify ${made.id} --watch\n`);
      return exitCodes.done;
    }
    terminal.err(
      isDiscarded
        ? "the recording is discarded\n"
        : `the recording goes on: das recordings finish ${recording.id}, or das recordings discard\n`,
    );
    return exitCodes.cancelled;
  } finally {
    stopAsking();
    ending.abort();
    await showing;
  }
}

/** Enter with nothing recorded is refused, and the recording goes on. */
async function finishOnEnter(
  { context, client, recording, name }: Work,
  enter: EnterKey,
  signal: AbortSignal,
): Promise<CallResponse<"finishRecording"> | undefined> {
  const path = { recording_id: recording.id };
  while (await enter.isPressed(signal)) {
    try {
      return await client.call("finishRecording", { path, body: name === undefined ? {} : { name } });
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.errorCode !== "conflict") throw failure;
      context.terminal.err(`das: ${sentenceOf(failure)}\n`);
    }
  }
  return undefined;
}

/** While something else is asked, a line replies to that. */
class EnterKey {
  readonly #terminal: Pick<Terminal, "readLine">;
  readonly #resumed = new Changes();
  #reading = new AbortController();
  #isPaused = false;

  constructor(terminal: Pick<Terminal, "readLine">) {
    this.#terminal = terminal;
  }

  pause(): void {
    this.#isPaused = true;
    this.#reading.abort();
  }

  resume(): void {
    this.#isPaused = false;
    this.#reading = new AbortController();
    this.#resumed.note();
  }

  /** @returns false once the signal is aborted or the input has ended. */
  async isPressed(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const line = await this.#terminal.readLine(AbortSignal.any([signal, this.#reading.signal]));
      if (signal.aborted) return false;
      if (!this.#isPaused) return line !== undefined;
      await this.#resumed.after(this.#resumed.count, signal);
      if (signal.aborted) return false;
    }
  }
}
