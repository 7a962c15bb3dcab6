import { modelWords } from "../../model/model-words.ts";
import type { Size } from "../../picture/picture.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import type { StepUnderWay } from "../execution-store.ts";
import type { Invocation } from "../step/invocation.ts";
import { ended, ends, failure, pauses, type StepResult } from "../step/step-result.ts";
import { fitsStep } from "../step/time-left.ts";
import { actOnReply } from "./act-decision.ts";
import { buildTurns, sentSize } from "./build-turns.ts";
import {
  aheadMs,
  callModel,
  choiceOf,
  type FoundKey,
  findKey,
  fitsCall,
  type ModelQuestion,
  modelsOf,
  nextModel,
  tokensOver,
} from "./call-model.ts";
import { allowedTypes, programsOf } from "./check-action.ts";
import { clearReply } from "./clear-reply.ts";
import { callsOf, findExchange, getExchange, keepExchange, readConversation } from "./conversation.ts";
import type { Exchange, Told } from "./exchange.ts";
import { goOn, modelOf, withModel, withUsage } from "./model-cursor.ts";
import { openingWords, systemWords } from "./task-words.ts";
import { tellResults } from "./tell-results.ts";

const silentMax = 3;
/** The model may zoom into parts of the screen so often without acting. */
const idleMax = 12;

/**
 * Asks the model and performs the reply's first action in the same engine step. A reply on record is not asked for
 * again.
 */
export async function askModel(invocation: Invocation, cursor: Cursor): Promise<StepResult> {
  const model = modelOf(cursor);
  const limit = tokensOver(invocation, model);
  if (limit !== undefined) return ends(cursor, failure("limit_reached", limit));
  if (model.idle >= idleMax) {
    const error = `the model replied ${idleMax} times without anything that could be done`;
    return ends(cursor, failure("stuck", error));
  }
  if (!fitsCall(invocation, model)) return pauses;
  const under = await invocation.countTry(cursor, "asking the model");
  if (under.kind === "over") return ends(cursor, under.end);
  // An uncounted try is the first, so that no exchange can be on record.
  const known = under.tries > 0 ? await findExchange(invocation, model.turn + 1) : undefined;
  if (known !== undefined) return await afterReply(invocation, cursor, model, known, under);
  const [isStillOurs, key, question] = await Promise.all([
    invocation.isOurs(aheadMs),
    findKey(invocation, model),
    nextQuestion(invocation, cursor, model),
  ]);
  if (!isStillOurs) return ended;
  const asked = await ask(invocation, cursor, model, { key, question });
  return asked.kind === "result"
    ? asked.result
    : await afterReply(invocation, cursor, model, asked.exchange, under);
}

interface NextQuestion extends ModelQuestion {
  readonly told: readonly Told[];
  /** The screen's size before scaling. */
  readonly screen: Size;
}

async function nextQuestion(
  invocation: Invocation,
  cursor: Cursor,
  model: ModelCursor,
): Promise<NextQuestion> {
  if (invocation.pictureKey === null) throw new Error("a model is asked without a picture");
  const [exchanges, told, { picture }] = await Promise.all([
    readConversation(invocation, model),
    toldNext(invocation, cursor, model),
    invocation.getPicture(invocation.pictureKey),
  ]);
  const { width, height } = picture;
  const sizeMax = modelsOf(invocation).languageModels.pictureSizeMax(choiceOf(invocation, model));
  return {
    told,
    screen: { width, height },
    system: systemWords(invocation),
    display: sentSize({ width, height }, sizeMax),
    turns: await buildTurns(invocation, exchanges, told, sizeMax),
    tools: {
      kind: "actions",
      types: allowedTypes(invocation, cursor, model),
      programs: programsOf(invocation.plan),
    },
  };
}

async function ask(
  invocation: Invocation,
  cursor: Cursor,
  model: ModelCursor,
  { key, question }: { readonly key: FoundKey; readonly question: NextQuestion },
): Promise<
  | { readonly kind: "exchange"; readonly exchange: Exchange }
  | { readonly kind: "result"; readonly result: StepResult }
> {
  const called = await callModel(invocation, cursor, model, question, key);
  if (called.kind === "result") return called;
  const { reply } = called;
  if (reply.kind === "answered" || reply.kind === "unusable")
    throw new Error("a model answered what was not asked");
  const cleared = clearReply(reply, await invocation.secrets());
  const { told, display: sent, screen } = question;
  const exchange: Exchange = { told, reply: cleared, sent, screen };
  await keepExchange(invocation, model.turn + 1, exchange);
  return { kind: "exchange", exchange };
}

async function toldNext(
  invocation: Invocation,
  cursor: Cursor,
  model: ModelCursor,
): Promise<readonly Told[]> {
  if (model.turn < model.from) return [await openingWords(invocation, cursor, model)];
  const last = await getExchange(invocation, model.turn);
  const words = (text: string): readonly Told[] => [{ role: "user", text, picture: null }];
  if (last.reply.kind === "refused") return words(modelWords.refused);
  if (last.reply.kind === "cut_off") return words(modelWords.cutOff);
  if (callsOf(last).length === 0) return words(modelWords.useTool);
  return [await tellResults(invocation, cursor, model, last)];
}

/** The decision is the same at each reading. The first action counts for the same try. */
async function afterReply(
  invocation: Invocation,
  cursor: Cursor,
  before: ModelCursor,
  { reply }: Exchange,
  under: StepUnderWay,
): Promise<StepResult> {
  const used = withUsage(before, reply.usage);
  const answered: ModelCursor = {
    ...used,
    turn: before.turn + 1,
    place: null,
    firstStep: cursor.index,
    waits: 0,
    waitedMs: 0,
    idle: before.idle + 1,
  };
  switch (reply.kind) {
    case "refused": {
      const model = { ...answered, refused: before.refused + 1 };
      if (model.refused <= 1) return await askAgain(invocation, cursor, model);
      const error = `the model refuses to go on: ${reply.text || "it gave no reason"}`;
      return (await nextModel(invocation, cursor, model, { code: "model_refused", error })).result;
    }
    case "cut_off": {
      const model = { ...answered, cutOff: before.cutOff + 1 };
      if (model.cutOff <= 1) return await askAgain(invocation, cursor, model);
      const error =
        "the model's replies are cut off at their largest length; a larger max_output_tokens may help";
      return (await nextModel(invocation, cursor, model, { code: "stuck", error })).result;
    }
    case "replied": {
      const model = { ...answered, refused: 0, cutOff: 0 };
      if (reply.confirmation !== null) {
        const error = `the model's provider demands a person's confirmation: ${reply.confirmation}`;
        return ends({ ...cursor, model }, failure("confirmation_needed", error));
      }
      if (reply.calls.length === 0) return await silent(invocation, cursor, model);
      const placed = { ...model, silent: 0, place: { call: 0, action: 0 } };
      const { deps, plan } = invocation;
      if (fitsStep(invocation) && deps.clock.now() < plan.endsAtMs) {
        return await actOnReply(invocation, withModel(cursor, placed), under);
      }
      await invocation.releaseTry(cursor);
      return goOn(cursor, placed);
    }
  }
}

async function silent(invocation: Invocation, cursor: Cursor, before: ModelCursor): Promise<StepResult> {
  const model = { ...before, silent: before.silent + 1 };
  if (model.silent < silentMax) return await askAgain(invocation, cursor, model);
  const end = failure("stuck", `the model replied ${silentMax} times without using a tool`);
  return ends({ ...cursor, model }, end);
}

async function askAgain(invocation: Invocation, cursor: Cursor, model: ModelCursor): Promise<StepResult> {
  await invocation.releaseTry(cursor);
  return goOn(cursor, model);
}
