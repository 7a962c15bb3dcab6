import { buildTurns, sentSize } from "../../conversation/build-turns.ts";
import { allowedTypes, programsOf } from "../../conversation/check-action.ts";
import {
  callsOf,
  clearReply,
  type Exchange,
  findExchange,
  getExchange,
  keepExchange,
  readConversation,
  type Told,
} from "../../conversation/conversation.ts";
import { withUsage } from "../../conversation/conversation-cursor.ts";
import { openingWords, systemWords } from "../../conversation/task-words.ts";
import { tellResults } from "../../conversation/tell-results.ts";
import { modelWords } from "../../model/model-words.ts";
import type { Size } from "../../picture/picture.ts";
import { failure } from "../../run/run-ending.ts";
import type { Cursor } from "../execution.ts";
import type { StepUnderWay } from "../execution-store.ts";
import type { Invocation } from "../step/invocation.ts";
import { ended, ends, pauses, type StepResult } from "../step/step-result.ts";
import { fitsStep } from "../step/time-left.ts";
import { actOnReply } from "./act-decision.ts";
import {
  aheadMs,
  callModel,
  choiceOf,
  findKey,
  fitsCall,
  type ModelQuestion,
  modelsOf,
  nextModel,
  tokensOver,
} from "./call-model.ts";
import { type CursorWithModel, goOn, requireModel, withModel } from "./model-cursor.ts";
import { asAnswered } from "./tell-answer.ts";

const silentMax = 3;
/** The model may zoom into parts of the screen this many times without acting. */
const idleMax = 12;

/** The reply's first action is part of the same engine step; a recorded reply is not requested again. */
export async function askModel(invocation: Invocation, before: Cursor): Promise<StepResult> {
  const cursor = requireModel(before);
  const { model } = cursor;
  const limit = tokensOver(invocation, model);
  if (limit !== undefined) return ends(cursor, failure("limit_reached", limit));
  if (model.idle >= idleMax) {
    const error = `the model replied ${idleMax} times without anything that could be done`;
    return ends(cursor, failure("stuck", error));
  }
  if (!fitsCall(invocation, model)) return pauses;
  const under = await invocation.countTry(cursor, "asking the model");
  if (under.kind === "over") return ends(cursor, under.end);
  // An uncounted try is the first, so no exchange can be recorded.
  const known = under.tries > 0 ? await findExchange(invocation, model.turn + 1) : undefined;
  if (known !== undefined) return await afterReply(invocation, cursor, known, under);
  const [isStillOurs, key, question] = await Promise.all([
    invocation.isOurs(aheadMs),
    findKey(invocation, model),
    nextQuestion(invocation, cursor),
  ]);
  if (!isStillOurs) return ended;
  const called = await callModel(invocation, cursor, question, key);
  if (called.kind !== "reply") return called;
  const { reply } = called;
  if (reply.kind === "answered" || reply.kind === "unusable")
    throw new Error("a model answered what was not asked");
  const cleared = clearReply(reply, await invocation.secrets());
  const { told, display: sent, screen } = question;
  const exchange: Exchange = { told, reply: cleared, sent, screen };
  await keepExchange(invocation, model.turn + 1, exchange);
  return await afterReply(invocation, cursor, exchange, under);
}

interface NextQuestion extends ModelQuestion {
  readonly told: readonly Told[];
  readonly screen: Size;
}

async function nextQuestion(invocation: Invocation, cursor: CursorWithModel): Promise<NextQuestion> {
  const { model } = cursor;
  if (invocation.pictureKey === null) throw new Error("a model is asked without a picture");
  const [exchanges, words, { picture }] = await Promise.all([
    readConversation(invocation, model),
    toldNext(invocation, cursor),
    invocation.getPicture(invocation.pictureKey),
  ]);
  const told = await withResumption(invocation, model, words);
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
      types: allowedTypes(invocation, cursor),
      programs: programsOf(invocation.plan),
    },
  };
}

async function toldNext(invocation: Invocation, cursor: CursorWithModel): Promise<readonly Told[]> {
  const { turn, from } = cursor.model;
  if (turn < from) return [await openingWords(invocation, cursor)];
  const last = await getExchange(invocation, turn);
  const words = (text: string): readonly Told[] => [{ role: "user", text, picture: null }];
  if (last.reply.kind === "refused") return words(modelWords.refused);
  if (last.reply.kind === "cut_off") return words(modelWords.cutOff);
  if (callsOf(last).length === 0) return words(modelWords.useTool);
  return [await tellResults(invocation, cursor, last)];
}

/** Pictures from around the hold are left out; the first after it comes with the note. */
async function withResumption(
  { deps, job }: Invocation,
  { resumed }: CursorWithModel["model"],
  told: readonly Told[],
): Promise<readonly Told[]> {
  if (resumed === undefined) return told;
  const step = await deps.executions.findStep(job.organizationId, job.runId, resumed);
  const key = step?.pictureKey;
  if (step === undefined || !key) throw new Error("a resumed run has no picture");
  const picture = { key, part: null };
  const before = told.map((each) =>
    each.role === "user"
      ? { ...each, picture: null }
      : { ...each, results: each.results.map((result) => ({ ...result, picture: null })) },
  );
  return (
    asAnswered(before, step, picture) ?? [
      ...before,
      { role: "user", text: modelWords.resumed(step.text), picture },
    ]
  );
}

/** The decision is the same at each reading. The first action belongs to the same try. */
async function afterReply(
  invocation: Invocation,
  before: CursorWithModel,
  { reply }: Exchange,
  under: StepUnderWay,
): Promise<StepResult> {
  const { model } = before;
  const answered = {
    ...withUsage(model, reply.usage),
    turn: model.turn + 1,
    place: null,
    firstStep: before.index,
    resumed: undefined,
    waits: 0,
    waitedMs: 0,
    idle: model.idle + 1,
  };
  switch (reply.kind) {
    case "refused": {
      const cursor = { ...before, model: { ...answered, refused: model.refused + 1 } };
      if (model.refused < 1) return await askAgain(invocation, cursor);
      const error = `the model refuses to go on: ${reply.text || "it gave no reason"}`;
      return await nextModel(invocation, cursor, "model_refused", error);
    }
    case "cut_off": {
      const cursor = { ...before, model: { ...answered, cutOff: model.cutOff + 1 } };
      if (model.cutOff < 1) return await askAgain(invocation, cursor);
      const error =
        "the model's replies are cut off at their largest length; a larger max_output_tokens may help";
      return await nextModel(invocation, cursor, "stuck", error);
    }
    case "replied": {
      const silent = reply.calls.length === 0 ? model.silent + 1 : 0;
      const place = silent === 0 ? { call: 0, action: 0 } : null;
      const cursor = { ...before, model: { ...answered, refused: 0, cutOff: 0, silent, place } };
      if (reply.confirmation !== null) {
        const error = `the model's provider demands a person's confirmation: ${reply.confirmation}`;
        return ends(cursor, failure("confirmation_needed", error));
      }
      if (silent >= silentMax) {
        return ends(cursor, failure("stuck", `the model replied ${silentMax} times without using a tool`));
      }
      const { deps, plan } = invocation;
      return silent === 0 && fitsStep(invocation) && deps.clock.now() < plan.endsAtMs
        ? await actOnReply(invocation, withModel(cursor, cursor.model), under)
        : await askAgain(invocation, cursor);
    }
  }
}

async function askAgain(invocation: Invocation, cursor: CursorWithModel): Promise<StepResult> {
  await invocation.releaseTry(cursor);
  return goOn(cursor, cursor.model);
}
