import { recordedInputsBytesMax } from "../../vocabulary/recordings.ts";
import { findKind } from "../action/action.ts";
import { type Ids, isoTimestamp } from "../clock.ts";
import { noTrail } from "../execution/step/trail.ts";
import type { FileStore } from "../file-store.ts";
import type { PersonalAction, PersonalCall } from "../hold/personal-actions.ts";
import { type JsonObject, jsonBytes } from "../json.ts";
import type { Logger } from "../logger.ts";
import { withoutSecrets } from "../run-progress/secrets-of-run.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { type KeepPicturesDeps, type KeptPicture, keepPictures } from "./keep-pictures.ts";
import { type MachineSecretDeps, machineSecrets } from "./machine-secrets.ts";
import type { Recording } from "./recording.ts";
import type { RecordingDeps } from "./recording-deps.ts";
import type { RecordedChange, RecordedSteps } from "./recording-store.ts";

export interface RecordOperationDeps extends MachineSecretDeps, KeepPicturesDeps {
  readonly recordings: Pick<RecordingDeps["recordings"], "find" | "append">;
  readonly files: Pick<FileStore, "stepKey" | "put">;
  readonly clock: RecordingDeps["clock"];
  readonly ids: Ids;
  readonly logger: Logger;
}

/** A failure is logged, because the operation is done. The steps of a call are recorded once. */
export async function recordOperation(deps: RecordOperationDeps, call: PersonalCall): Promise<void> {
  const { organizationId, held } = call;
  const recordingId = held.recordingId ?? "";
  try {
    const outcome = await record(deps, call, recordingId);
    if (outcome !== "ended") return;
    deps.logger.warn("an operation came after its recording had ended", { recording_id: recordingId });
  } catch (cause) {
    deps.logger.error("an operation was not recorded", {
      organization_id: organizationId,
      recording_id: recordingId,
      cause,
    });
  }
}

async function record(
  deps: RecordOperationDeps,
  call: PersonalCall,
  recordingId: string,
): Promise<"recorded" | "ended"> {
  const first = await deps.recordings.find(call.organizationId, recordingId);
  if (first?.status !== "recording") return "ended";
  const named = call.actions.map(({ action }) => namedText(action));
  const hasText = call.actions.some(({ action, error }) => action.text !== undefined || error !== undefined);
  const secrets = hasText ? await machineSecrets(deps, call.machine) : {};
  const shown = named.map(({ action }, place) => shownAction(call.actions[place], action, secrets));
  const isSecret = shown.some(
    ({ action }, place) => action.text !== named[place]?.action.text || isNaming(action),
  );
  const kept = await keepPictures(deps, first, call, isSecret);
  const inputs = Object.assign({}, ...named.map(({ input }) => input));
  return await untilWritten(deps, {
    what: "the recording",
    first,
    read: () => deps.recordings.find(call.organizationId, recordingId),
    decide: async (before: Recording | undefined) => {
      if (before?.status !== "recording") return "ended" as const;
      const recorded = stepsAfter(before, call, { shown, inputs, ...kept });
      const outcome = await deps.recordings.append(before, recorded);
      return outcome === "changed" ? overtaken : "recorded";
    },
  });
}

type ShownAction = Pick<RunStep, "action" | "status" | "error">;

interface NamedText {
  readonly action: JsonObject;
  readonly input: JsonObject;
}

/** A text that was given as an input is stored under its name alone. */
function namedText({ as_input: name, ...action }: JsonObject): NamedText {
  if (typeof name !== "string") return { action, input: {} };
  const field = action.type === "write_file" ? "content" : "text";
  const value = action[field];
  return {
    action: { ...action, [field]: `{${name}}` },
    input: typeof value === "string" ? { [name]: value } : {},
  };
}

const texts = ["text", "command"] as const;

/** Without the machine's secrets no text can be shown. */
function shownAction(
  sent: PersonalAction | undefined,
  action: JsonObject,
  secrets: Awaited<ReturnType<typeof machineSecrets>>,
): ShownAction {
  const { status = "unknown", error = null } = sent ?? {};
  const fields = Object.entries(action).flatMap(([name, value]) => {
    if (!texts.some((each) => each === name) || typeof value !== "string") return [[name, value] as const];
    return secrets === undefined ? [] : [[name, withoutSecrets(value, secrets)] as const];
  });
  const words = error && (secrets === undefined ? "the desktop refused it" : withoutSecrets(error, secrets));
  return { action: Object.fromEntries(fields), status, error: words };
}

function isNaming({ type, text }: JsonObject): boolean {
  return type === "type" && typeof text === "string" && text.includes("{$");
}

interface Recorded {
  readonly shown: readonly ShownAction[];
  readonly inputs: JsonObject;
  readonly before: KeptPicture | undefined;
  readonly after: KeptPicture | undefined;
  readonly painted: Recording["painted"];
}

/** A look of its own shows the screen before, unless it is still that after the last step. */
function stepsAfter(
  recording: Recording,
  { startedAtMs, endedAtMs, callId }: PersonalCall,
  { shown, inputs, before, after, painted }: Recorded,
): RecordedSteps {
  const { organizationId, id, lastPicture, inputValues } = recording;
  const bare = {
    organizationId,
    runId: id,
    assignmentId: id,
    attempt: 1,
    source: "person",
    inAttempt: null,
    text: null,
    model: null,
    usage: null,
    match: null,
    error: null,
    screenshot: null,
    pictureKey: null,
    startedAt: isoTimestamp(startedAtMs),
    durationMs: null,
  } as const;
  const look: Omit<RunStep, "index"> | undefined =
    before === undefined || before.digest === lastPicture
      ? undefined
      : {
          ...bare,
          action: { type: "screenshot" },
          status: "done",
          trail: { ...noTrail, painted: recording.painted },
          screenshot: before.size,
          pictureKey: before.key,
        };
  const last = shown.findLastIndex(({ status }) => status !== "skipped");
  const done = shown.map(
    (each, place): Omit<RunStep, "index"> => ({
      ...bare,
      ...each,
      trail: { ...noTrail, painted },
      ...(place === last && after && { screenshot: after.size, pictureKey: after.key }),
      durationMs: shown.length === 1 ? Math.max(0, endedAtMs - startedAtMs) : null,
    }),
  );
  const steps = [...(look ? [look] : []), ...done].map((step, place) => ({
    ...step,
    index: recording.lastIndex + 1 + place,
  }));
  const values = { ...inputValues, ...inputs };
  const change: RecordedChange = {
    elementCount: recording.elementCount + done.filter(isElement).length,
    lastIndex: recording.lastIndex + steps.length,
    lastPicture: (after ?? (last < 0 ? before : undefined))?.digest ?? null,
    painted,
    // A value beyond the bound stays an input without one, of which the approval warns.
    inputValues: jsonBytes(values) > recordedInputsBytesMax ? inputValues : values,
  };
  return { callId, steps, change };
}

function isElement({ status, action }: Pick<RunStep, "status" | "action">): boolean {
  return status === "done" && findKind(action.type)?.doneBy !== "service";
}
