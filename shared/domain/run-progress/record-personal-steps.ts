import { type Ids, isoTimestamp } from "../clock.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import { noTrail } from "../execution/step/trail.ts";
import type { FileStore } from "../file-store.ts";
import type { PersonalCall, PersonalPicture } from "../hold/personal-actions.ts";
import type { JsonObject } from "../json.ts";
import type { Logger } from "../logger.ts";
import { paintOver } from "../picture/edit-picture.ts";
import type { Picture } from "../picture/picture.ts";
import { type PictureCodec, UnreadablePicture } from "../picture/picture-codec.ts";
import { decodePlan, planBytesMax } from "../plan/plan-file.ts";
import type { InheritedSecretDeps } from "../run/inputs/inherited-secret-values.ts";
import type { Run } from "../run/run.ts";
import type { RunStore } from "../run/run-store.ts";
import type { RunStep, StepTrail } from "../run-step/run-step.ts";
import { trailAfter } from "../screen/typed-text.ts";
import { secretsOfRun, withoutSecrets } from "./secrets-of-run.ts";

export interface PersonalStepDeps extends InheritedSecretDeps {
  readonly executions: Pick<ExecutionStore, "find" | "findLastStep" | "appendWhileHeld">;
  readonly runs: Pick<RunStore, "find" | "readSecret">;
  readonly files: Pick<FileStore, "get" | "stepKey" | "put">;
  readonly pictures: PictureCodec;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Text that is no input of the run is a person's own; a trajectory made of it asks for this input. */
const typedByPerson = "{typed_by_person}";

/** Records what a person did while the run was held as steps of the run, unless it is not held any more. */
export async function recordPersonalSteps(deps: PersonalStepDeps, call: PersonalCall): Promise<void> {
  const { organizationId, held } = call;
  const runId = held.runId ?? "";
  try {
    const [run, execution, last] = await Promise.all([
      deps.runs.find(organizationId, runId),
      deps.executions.find(organizationId, runId),
      deps.executions.findLastStep(organizationId, runId),
    ]);
    if (run === undefined || execution === undefined || run.assignmentId !== execution.assignmentId) return;
    const file = execution.planKey && (await deps.files.get(execution.planKey, planBytesMax));
    const plan = file ? decodePlan(file) : undefined;
    const steps = await stepsOf(deps, call, run, {
      inputs: plan?.inputValues ?? run.inputValues,
      keepScreenshots: plan?.workflow.keepScreenshots ?? false,
      last: last?.assignmentId === run.assignmentId ? last : undefined,
    });
    const isRecorded = await deps.executions.appendWhileHeld(steps, last?.index ?? 0);
    if (!isRecorded) deps.logger.warn("a person's step came after the hold", { run_id: runId });
  } catch (cause) {
    deps.logger.error("a person's step was not recorded", { run_id: runId, cause });
  }
}

interface Around {
  readonly inputs: JsonObject;
  readonly keepScreenshots: boolean;
  readonly last: RunStep | undefined;
}

async function stepsOf(
  deps: PersonalStepDeps,
  { actions, before, after, startedAtMs, endedAtMs }: PersonalCall,
  run: Run,
  { inputs, keepScreenshots, last }: Around,
): Promise<readonly Omit<RunStep, "index">[]> {
  const secrets = await secretsOfRun(deps, run);
  const shown = actions.map(({ action, status, error = null }) => {
    const { own, isSecret } = shownAction(action, inputs, secrets);
    const words =
      error && (secrets === undefined ? "the desktop refused it" : withoutSecrets(error, secrets));
    return { action: own, isSecret, status, error: words };
  });
  const hasSecret = shown.some(({ isSecret }) => isSecret);
  const carried = carriedOn(last?.trail ?? noTrail);
  const pictures = { before: decoded(deps, before), after: decoded(deps, after) };
  // What cannot be found cannot be painted over.
  const areKept = keepScreenshots && !(hasSecret && (!pictures.before || !pictures.after));
  const kept = areKept ? pictures : { before: undefined, after: undefined };
  const sent = { type: hasSecret ? "type" : "wait", text: "", seconds: 0 } as const;
  const bare = {
    organizationId: run.organizationId,
    runId: run.id,
    assignmentId: run.assignmentId ?? "",
    attempt: run.attempt,
    source: "person",
    inAttempt: last?.inAttempt ?? null,
    text: null,
    model: null,
    usage: null,
    match: null,
    screenshot: null,
    pictureKey: null,
    startedAt: isoTimestamp(startedAtMs),
    durationMs: shown.length === 1 ? Math.max(0, endedAtMs - startedAtMs) : null,
  } as const;
  const trail = trailAfter(
    {
      element: { action: sent, by: "replay", timeoutMs: 0 },
      step: { ...bare, index: 0, action: sent, status: "done", error: null, trail: carried },
      filled: { isOwn: false, hasSecret, piece: 0, pieces: 1 },
      before: pictures.before,
      isBeforeStored: false,
    },
    pictures.after,
  );
  const beforeKey = await keep(deps, run, kept.before, carried);
  const pictureKey = await keep(deps, run, kept.after, trail);
  const tried = shown.findLastIndex(({ status }) => status !== "skipped");
  return shown.map(({ isSecret: _isSecret, ...each }, place) => ({
    ...bare,
    ...each,
    trail: { ...(place < tried ? carried : trail), ...(place === 0 && beforeKey !== null && { beforeKey }) },
    ...(place === tried && kept.after !== undefined && { screenshot: sizeOf(kept.after), pictureKey }),
  }));
}

/** The run's next step goes on from the trail of the person's last one. */
function carriedOn({ next: _next, decided: _decided, missed: _missed, ...trail }: StepTrail): StepTrail {
  const { beforeKey: _beforeKey, ...carried } = trail;
  return { ...carried, element: null };
}

function decoded({ pictures }: PersonalStepDeps, picture: PersonalPicture | undefined): Picture | undefined {
  try {
    return picture && pictures.decode(picture.png);
  } catch (cause) {
    if (cause instanceof UnreadablePicture) return undefined;
    throw cause;
  }
}

function sizeOf({ width, height }: Picture): RunStep["screenshot"] {
  return { width, height };
}

async function keep(
  { files, pictures, ids }: PersonalStepDeps,
  { organizationId, id }: Run,
  picture: Picture | undefined,
  { painted }: StepTrail,
): Promise<string | null> {
  if (picture === undefined) return null;
  const key = files.stepKey(organizationId, id, ids.uuid7());
  await files.put(key, pictures.encode(paintOver(picture, painted)), "image/png");
  return key;
}

/** The text of an input stays; a secret becomes `{$alias}`, and any other text is the person's own. */
function shownAction(
  action: JsonObject,
  inputs: JsonObject,
  secrets: Awaited<ReturnType<typeof secretsOfRun>>,
): { readonly own: JsonObject; readonly isSecret: boolean } {
  const { command, text, ...rest } = action;
  const commanded =
    typeof command !== "string" || secrets === undefined ? {} : { command: withoutSecrets(command, secrets) };
  if (typeof text !== "string") return { own: { ...rest, ...commanded }, isSecret: false };
  const hidden = secrets && withoutSecrets(text, secrets);
  if (secrets === undefined || hidden !== text) {
    return { own: { ...rest, text: hidden ?? typedByPerson }, isSecret: true };
  }
  const isPlain = action.type === "type" ? isInput(text, inputs) : !typesLetters(action);
  return { own: { ...rest, text: isPlain ? text : typedByPerson }, isSecret: false };
}

function isInput(text: string, inputs: JsonObject): boolean {
  return Object.values(inputs).some((value) => typeof value !== "object" && String(value) === text);
}

/** Names of keys and chords are no text; single letters one after another are. */
function typesLetters({ type, text }: JsonObject): boolean {
  return (
    type === "key" &&
    String(text)
      .split(" ")
      .some((group) => group.length === 1)
  );
}
