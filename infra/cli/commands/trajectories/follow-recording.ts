import type { ApiClient } from "../../../../shared/client/api-client.ts";
import type { CallResponse } from "../../../../shared/client/call-types.ts";
import { Changes } from "../../follow/changes.ts";
import { stepLine } from "../../follow/run-words.ts";
import type { Context } from "../../program/context.ts";
import { sentenceOf } from "../../program/failures.ts";

export interface FollowedRecording {
  readonly context: Pick<Context, "terminal" | "form">;
  readonly client: ApiClient;
  readonly recording: CallResponse<"createRecording">;
  /** The recording is extended by this while it is followed. */
  readonly seconds: number;
}

type Step = CallResponse<"listRecordedSteps">["items"][number];

/** The live channel has no topic for recordings. */
const pollMs = 1_500;
const pauseAfterFailureMs = 5_000;
const pageSteps = 100;
/** A look is a picture for the element after it, and no element. */
const lookType = "screenshot";

/** Shows what is recorded as it comes, and extends the recording, until the signal is aborted. */
export async function followRecording(
  { context, client, recording, seconds }: FollowedRecording,
  signal: AbortSignal,
): Promise<void> {
  const { terminal } = context;
  const path = { recording_id: recording.id };
  let until = Date.parse(recording.until);
  let skip = 0;
  for (let pauseMs = pollMs; !signal.aborted; await new Changes().after(0, signal, pauseMs)) {
    pauseMs = pollMs;
    try {
      const { items } = await client.call("listRecordedSteps", {
        path,
        query: { skip, limit: pageSteps },
        signal,
      });
      const atSending = items.findIndex(({ status }) => status === "sending");
      const shown = atSending < 0 ? items : items.slice(0, atSending);
      for (const step of shown) showStep(context, step);
      skip += shown.length;
      if (until - terminal.now() < (seconds * 1_000) / 2) {
        until = Date.parse((await client.call("extendRecording", { path, body: { seconds }, signal })).until);
      }
    } catch (failure) {
      if (signal.aborted) return;
      terminal.err(`das: ${sentenceOf(failure)}\n`);
      pauseMs = pauseAfterFailureMs;
    }
  }
}

function showStep({ terminal, form }: FollowedRecording["context"], step: Step): void {
  if (form !== "table") terminal.out(`${JSON.stringify({ event: "step", step })}\n`);
  else if (step.action.type !== lookType) terminal.out(`${stepLine(step)}\n`);
}
