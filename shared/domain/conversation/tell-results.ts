import { type Action, type ActionType, findKind } from "../action/action.ts";
import type { ModelCall } from "../model/language-models.ts";
import { modelWords } from "../model/model-words.ts";
import { clip } from "../picture/picture.ts";
import { truncated } from "../run/run-ending.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { allowedTypes, checkAction } from "./check-action.ts";
import {
  callsOf,
  type Exchange,
  type KeptPicture,
  type KeptResult,
  memoryOf,
  type Told,
} from "./conversation.ts";
import type { ConversationPlace, ModelCursor } from "./conversation-cursor.ts";
import type { ConversingRun } from "./conversing-run.ts";

const textMax = 16_000;

const repeatsToldMin = 4;

export async function tellResults(
  run: ConversingRun,
  cursor: ConversationPlace,
  exchange: Exchange,
): Promise<Told> {
  const steps = await stepsOf(run, cursor);
  const types = allowedTypes(run, cursor);
  const results: KeptResult[] = [];
  let isStopped = false;
  for (const [at, call] of callsOf(exchange).entries()) {
    const own = steps.filter(({ trail }) => trail.decided?.call === at);
    const told = await resultOf(run, exchange, call, { steps: own, isStopped, types });
    isStopped ||= told.isError || own.some(({ trail }) => trail.decided?.isChanged === true);
    const { callId, toolName } = call;
    results.push({ callId, toolName, ...told });
  }
  return { role: "results", results: withRepeats(withPicture(results, steps), cursor.model) };
}

async function stepsOf(
  run: ConversingRun,
  { index, model: { firstStep, turn } }: ConversationPlace,
): Promise<readonly RunStep[]> {
  const { deps, job } = run;
  const { organizationId, runId } = job;
  const { lastStep } = memoryOf(run);
  const indexes = Array.from({ length: Math.max(0, index - firstStep) }, (_, at) => firstStep + at);
  const steps = await Promise.all(
    indexes.map(async (each) =>
      lastStep?.index === each ? lastStep : await deps.executions.findStep(organizationId, runId, each),
    ),
  );
  return steps.filter((step) => step !== undefined).filter(({ trail }) => trail.decided?.turn === turn);
}

type ResultWords = Pick<KeptResult, "isError" | "text" | "picture">;

async function resultOf(
  run: ConversingRun,
  exchange: Exchange,
  { decision }: ModelCall,
  {
    steps,
    isStopped,
    types,
  }: {
    readonly steps: readonly RunStep[];
    readonly isStopped: boolean;
    readonly types: readonly ActionType[];
  },
): Promise<ResultWords> {
  const wrong = steps.find(({ status }) => status === "failed" || status === "unknown");
  if (wrong !== undefined) {
    const text = wrong.status === "unknown" ? modelWords.unknown : (wrong.error ?? modelWords.notDone);
    return { isError: true, text, picture: null };
  }
  const last = steps.at(-1);
  const isWhole = last?.trail.next?.kind !== "piece";
  const done = last === undefined ? 0 : (last.trail.decided?.action ?? 0) + (isWhole ? 1 : 0);
  if (last !== undefined && decision.kind === "actions" && decision.actions[done] === undefined) {
    return { isError: false, text: textFor(run, last), picture: null };
  }
  if (isStopped) return { isError: true, text: modelWords.notDone, picture: null };
  switch (decision.kind) {
    case "invalid":
      return { isError: true, text: truncated(decision.error), picture: null };
    case "zoom":
      return zoomed(run, exchange, decision.region);
    case "actions": {
      const action = decision.actions[done];
      const checked = action && (await checkAction(run, exchange, action, { types, piece: 0 }));
      const text = checked?.kind === "told" ? checked.words : modelWords.notDone;
      return { isError: true, text, picture: null };
    }
  }
}

function textFor({ saved }: ConversingRun, { action, trail }: RunStep): string {
  const { save_as: name } = action as unknown as Partial<Extract<Action, { readonly save_as: string }>>;
  const value = name === undefined ? undefined : saved.get(name);
  if (name !== undefined && value !== undefined) {
    return modelWords.saved(name, cut(typeof value === "string" ? value : JSON.stringify(value)));
  }
  const acts = findKind(action.type)?.screen === "changes";
  return acts && trail.decided?.isChanged === false && !trail.decided.isBlind
    ? modelWords.unchanged
    : modelWords.done;
}

function cut(text: string): string {
  return text.length <= textMax ? text : text.slice(0, textMax) + modelWords.cut(text.length);
}

/** The crop is made from the last picture, so that it can be made again. */
function zoomed(
  run: ConversingRun,
  { sent, screen }: Exchange,
  region: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): ResultWords {
  const part = clip(sent, region);
  if (part === undefined || run.pictureKey === null) {
    return { isError: true, text: modelWords.outside(sent.width, sent.height), picture: null };
  }
  const { x, y, width, height } = part;
  const [across, down] = [screen.width / sent.width, screen.height / sent.height];
  const onScreen = {
    x: Math.floor(x * across),
    y: Math.floor(y * down),
    width: Math.ceil(width * across),
    height: Math.ceil(height * down),
  };
  const picture: KeptPicture = { key: run.pictureKey, part: onScreen };
  return { isError: false, text: modelWords.zoomed(x, y, width, height), picture };
}

function withPicture(results: readonly KeptResult[], steps: readonly RunStep[]): readonly KeptResult[] {
  const key = steps.findLast(({ trail }) => trail.decided?.seen)?.pictureKey;
  const last = results.at(-1);
  return key && last?.picture === null
    ? results.with(-1, { ...last, picture: { key, part: null } })
    : results;
}

function withRepeats(results: readonly KeptResult[], { same }: ModelCursor): readonly KeptResult[] {
  const last = results.at(-1);
  return last && same.times >= repeatsToldMin
    ? results.with(-1, { ...last, text: `${last.text}\n${modelWords.repeated}` })
    : results;
}
