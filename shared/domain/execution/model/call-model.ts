import type { RunErrorCode } from "../../../vocabulary/run-error-codes.ts";
import { memoryOf } from "../../conversation/conversation.ts";
import { freshCounts, type ModelCursor } from "../../conversation/conversation-cursor.ts";
import type {
  ConversationTurn,
  ModelFailure,
  ModelReply,
  ModelRequest,
  ModelTools,
} from "../../model/language-models.ts";
import { refusedOnPlatform } from "../../model/platform-params.ts";
import { slotOf } from "../../model/provider-key.ts";
import type { Size } from "../../picture/picture.ts";
import { wordsOfNoKey } from "../../plan/plan-model.ts";
import { failure } from "../../run/run-ending.ts";
import { redact } from "../../secrets/redact.ts";
import type { ModelDeps } from "../executor-deps.ts";
import type { Invocation } from "../step/invocation.ts";
import { ends, type StepResult } from "../step/step-result.ts";
import { endWithoutCall, fitsWait, leftMs } from "../step/time-left.ts";
import { type CursorWithModel, goOn } from "./model-cursor.ts";

export interface CalledModel {
  readonly kind: "reply";
  readonly reply: Exclude<ModelReply, ModelFailure>;
}

/** Secrets' values are removed from these texts. */
export interface ModelQuestion {
  readonly system: string;
  readonly turns: readonly ConversationTurn[];
  readonly tools: ModelTools;
  readonly display: Size;
}

/** A call must fit into an invocation, whatever its configuration says. */
const callMsMax = 600_000;

const awayMsMax = 600_000;
const waitSecondsMax = 60;

export function modelsOf({ deps }: Invocation): ModelDeps {
  if (deps.models === undefined) throw new Error("a run goes by a model, and there is none");
  return deps.models;
}

export function choiceOf({ plan }: Invocation, { choice }: Pick<ModelCursor, "choice">) {
  const chosen = plan.model?.choices[choice];
  if (chosen === undefined) throw new Error("a run goes by a model that its plan does not have");
  return chosen;
}

export function fitsCall(invocation: Invocation, model: ModelCursor): boolean {
  return fitsWait(invocation, callMs(invocation, model));
}

function callMs(invocation: Invocation, model: ModelCursor): number {
  return Math.min(callMsMax, choiceOf(invocation, model).timeoutSeconds * 1_000, leftMs(invocation));
}

export type FoundKey = Awaited<ReturnType<ModelDeps["providerKeys"]["find"]>>;

/** A key read ahead is used for this long, the time of a quick action. */
export const aheadMs = 2_000;

/** The read never rejects: the next call reads the key itself. */
export function findKeyAhead(invocation: Invocation, model: ModelCursor): void {
  const found = lookUpKey(invocation, model).catch(() => undefined);
  memoryOf(invocation).key = { choice: model.choice, atMs: invocation.deps.clock.now(), found };
}

export async function findKey(invocation: Invocation, model: ModelCursor): Promise<FoundKey> {
  const memory = memoryOf(invocation);
  const { key: ahead } = memory;
  delete memory.key;
  const isFresh = ahead?.choice === model.choice && invocation.deps.clock.now() - ahead.atMs < aheadMs;
  return (isFresh ? await ahead.found : undefined) ?? (await lookUpKey(invocation, model));
}

async function lookUpKey(invocation: Invocation, model: ModelCursor): Promise<FoundKey> {
  const slot = slotOf(choiceOf(invocation, model).provider);
  return await modelsOf(invocation).providerKeys.find(invocation.job.organizationId, slot);
}

const failures: Readonly<
  Record<ModelFailure["reason"], { readonly code: RunErrorCode; readonly words: string }>
> = {
  unavailable: { code: "provider_unavailable", words: "does not respond" },
  key_invalid: { code: "provider_key_invalid", words: "refuses its key" },
  model_not_found: { code: "model_not_found", words: "is not known to its provider" },
  rejected: { code: "provider_rejected", words: "does not take what it is asked" },
};

export async function callModel(
  invocation: Invocation,
  cursor: CursorWithModel,
  question: ModelQuestion,
  key: FoundKey,
): Promise<CalledModel | StepResult> {
  const { job } = invocation;
  const { model } = cursor;
  const { providerKeys, languageModels } = modelsOf(invocation);
  const choice = choiceOf(invocation, model);
  if (typeof key === "string") {
    return await nextModel(invocation, cursor, key, wordsOfNoKey[key](slotOf(choice.provider)));
  }
  const refused = key.isPlatform ? refusedOnPlatform(choice) : undefined;
  if (refused !== undefined) {
    const error = `${choice.provider} (${choice.model}) is called with the service's own key, which does not allow additional_params.${refused}`;
    return await nextModel(invocation, cursor, failures.rejected.code, error);
  }
  const secrets = await invocation.secrets();
  const late = endWithoutCall(invocation, cursor);
  if (late !== undefined) return late;
  const request: ModelRequest = {
    choice,
    key: key.key,
    runId: job.runId,
    tools: question.tools,
    display: question.display,
    system: redact(question.system, secrets),
    turns: question.turns.map((turn) => withoutSecrets(turn, (text) => redact(text, secrets))),
    timeoutMs: callMs(invocation, model),
  };
  const reply = await invocation.times.ofModel(choice, () => languageModels.ask(request));
  if (reply.usage !== null) await providerKeys.spend(job.organizationId, key, reply.usage);
  if (reply.kind !== "failed") return { kind: "reply", reply };
  const said = redact(reply.error, secrets);
  const { code, words } = failures[reply.reason];
  const error = `${choice.provider} (${choice.model}) ${words}: ${said}`;
  if (reply.reason === "unavailable") {
    return endWithoutCall(invocation, cursor) ?? (await waitFor(invocation, cursor, { ...reply, error }));
  }
  if (reply.reason === "key_invalid") await providerKeys.reportInvalid(job, key, said);
  return await nextModel(invocation, cursor, code, error);
}

/** Replies stay as their provider gave them; their secrets were removed when they were recorded. */
function withoutSecrets(turn: ConversationTurn, clear: (text: string) => string): ConversationTurn {
  switch (turn.role) {
    case "model":
      return turn;
    case "user":
      return { ...turn, parts: turn.parts.map((part) => (typeof part === "string" ? clear(part) : part)) };
    case "results":
      return { ...turn, results: turn.results.map((each) => ({ ...each, text: clear(each.text) })) };
  }
}

async function waitFor(
  invocation: Invocation,
  cursor: CursorWithModel,
  { error, retryAfterMs }: Pick<ModelFailure, "error" | "retryAfterMs">,
): Promise<StepResult> {
  const { model } = cursor;
  const waits = model.waits + 1;
  const askedSeconds = Math.ceil((retryAfterMs ?? 0) / 1_000);
  const seconds = Math.max(1, askedSeconds || Math.min(waitSecondsMax, 2 ** waits));
  const waitedMs = model.waitedMs + seconds * 1_000;
  if (waitedMs > awayMsMax) return await nextModel(invocation, cursor, failures.unavailable.code, error);
  await invocation.releaseTry(cursor);
  return goOn(cursor, { ...model, waits, waitedMs }, seconds);
}

export async function nextModel(
  invocation: Invocation,
  cursor: CursorWithModel,
  code: RunErrorCode,
  error: string,
): Promise<StepResult> {
  const { model } = cursor;
  const choice = model.choice + 1;
  if (invocation.plan.model?.choices[choice] === undefined) return ends(cursor, failure(code, error));
  await invocation.releaseTry(cursor);
  return goOn({ ...cursor, piece: 0 }, { ...model, ...freshCounts, choice, from: model.turn + 1 });
}

export function tokensOver({ plan }: Invocation, { tokens }: ModelCursor): string | undefined {
  const maxTokens = plan.model?.maxTokens ?? null;
  const used = tokens.reduce((sum, [input, output]) => sum + input + output, 0);
  return maxTokens === null || used < maxTokens
    ? undefined
    : `the run's models took ${used} tokens, of max_tokens ${maxTokens}`;
}
