import type { RunErrorCode } from "../../../vocabulary/run-error-codes.ts";
import { slotOf } from "../../model/covered-providers.ts";
import type { ConversationTurn, ModelFailure, ModelReply, ModelTools } from "../../model/language-models.ts";
import type { Size } from "../../picture/picture.ts";
import { wordsOfNoKey } from "../../plan/plan-model.ts";
import { redact } from "../../secrets/redact.ts";
import type { Cursor, ModelCursor } from "../execution.ts";
import type { ModelDeps } from "../executor-deps.ts";
import type { Invocation } from "../step/invocation.ts";
import { ends, failure, type StepResult } from "../step/step-result.ts";
import { endWithoutCall, fitsWait, leftMs } from "../step/time-left.ts";
import { memoryOf } from "./conversation.ts";
import { goOn } from "./model-cursor.ts";

export type CalledModel =
  | { readonly kind: "reply"; readonly reply: Exclude<ModelReply, ModelFailure> }
  | { readonly kind: "result"; readonly result: StepResult };

/** Secrets' values are removed from the texts here. */
export interface ModelQuestion {
  readonly system: string;
  readonly turns: readonly ConversationTurn[];
  readonly tools: ModelTools;
  readonly display: Size;
}

/** A call has to fit into an invocation, whatever its configuration says. */
const callMsMax = 600_000;

/** The next model is asked after waiting this long for a provider. */
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

/** The run's own time cuts the call off. */
export function fitsCall(invocation: Invocation, model: ModelCursor): boolean {
  return fitsWait(invocation, callMs(invocation, model));
}

function callMs(invocation: Invocation, model: ModelCursor): number {
  return Math.min(callMsMax, choiceOf(invocation, model).timeoutSeconds * 1_000, leftMs(invocation));
}

export type FoundKey = Awaited<ReturnType<ModelDeps["providerKeys"]["find"]>>;

/** A key that was looked up ahead counts this long: the time of a quick action. */
export const aheadMs = 2_000;

/** The lookup never rejects: the next call looks up the key itself. */
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

/** Waits for a provider that is away, then asks the fallbacks in turn. */
export async function callModel(
  invocation: Invocation,
  cursor: Cursor,
  model: ModelCursor,
  question: ModelQuestion,
  key: FoundKey,
): Promise<CalledModel> {
  const { job } = invocation;
  const { providerKeys, languageModels } = modelsOf(invocation);
  const choice = choiceOf(invocation, model);
  const slot = slotOf(choice.provider);
  if (typeof key === "string") {
    return nextModel(invocation, cursor, model, { code: key, error: wordsOfNoKey[key](slot) });
  }
  const secrets = await invocation.secrets();
  const late = endWithoutCall(invocation, { ...cursor, model });
  if (late !== undefined) return { kind: "result", result: late };
  const reply = await languageModels.ask({
    choice,
    key: key.key,
    runId: job.runId,
    tools: question.tools,
    display: question.display,
    system: redact(question.system, secrets),
    turns: question.turns.map((turn) => withoutSecrets(turn, (text) => redact(text, secrets))),
    timeoutMs: callMs(invocation, model),
  });
  if (reply.kind !== "failed") {
    await providerKeys.spend(job.organizationId, key, reply.usage);
    return { kind: "reply", reply };
  }
  const error = redact(reply.error, secrets);
  const of = `${choice.provider} (${choice.model})`;
  switch (reply.reason) {
    case "unavailable": {
      const over = endWithoutCall(invocation, { ...cursor, model });
      if (over !== undefined) return { kind: "result", result: over };
      return await waitFor(invocation, cursor, model, {
        ...reply,
        error: `${of} does not respond: ${error}`,
      });
    }
    case "key_invalid":
      await providerKeys.reportInvalid(job, key, error);
      return nextModel(invocation, cursor, model, {
        code: "provider_key_invalid",
        error: `${of} refuses its key: ${error}`,
      });
    case "model_not_found":
      return nextModel(invocation, cursor, model, {
        code: "model_not_found",
        error: `${of} is not known to its provider: ${error}`,
      });
    case "rejected":
      return nextModel(invocation, cursor, model, {
        code: "provider_rejected",
        error: `${of} does not take what it is asked: ${error}`,
      });
  }
}

/** Replies stay as their provider gave them; their secrets were removed when they were kept. */
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
  cursor: Cursor,
  model: ModelCursor,
  { error, retryAfterMs }: Pick<ModelFailure, "error" | "retryAfterMs">,
): Promise<CalledModel> {
  const seconds = Math.max(
    1,
    Math.ceil((retryAfterMs ?? 0) / 1_000) || Math.min(waitSecondsMax, 2 ** (model.waits + 1)),
  );
  const waitedMs = model.waitedMs + seconds * 1_000;
  if (waitedMs > awayMsMax)
    return nextModel(invocation, cursor, model, { code: "provider_unavailable", error });
  await invocation.releaseTry(cursor);
  const waits = model.waits + 1;
  return { kind: "result", result: goOn(cursor, { ...model, waits, waitedMs }, seconds) };
}

/** The next fallback begins a conversation of its own; without one the run ends. */
export async function nextModel(
  invocation: Invocation,
  cursor: Cursor,
  model: ModelCursor,
  { code, error }: { readonly code: RunErrorCode; readonly error: string },
): Promise<CalledModel & { readonly kind: "result" }> {
  const choice = model.choice + 1;
  if (invocation.plan.model?.choices[choice] === undefined) {
    return { kind: "result", result: ends({ ...cursor, model }, failure(code, error)) };
  }
  await invocation.releaseTry(cursor);
  const next: ModelCursor = {
    ...model,
    choice,
    from: model.turn + 1,
    place: null,
    silent: 0,
    idle: 0,
    refused: 0,
    cutOff: 0,
    waits: 0,
    waitedMs: 0,
  };
  return { kind: "result", result: goOn({ ...cursor, piece: 0 }, next) };
}

export function tokensOver({ plan }: Invocation, { tokens }: ModelCursor): string | undefined {
  const maxTokens = plan.model?.maxTokens ?? null;
  const used = tokens.reduce((sum, [input, output]) => sum + input + output, 0);
  return maxTokens === null || used < maxTokens
    ? undefined
    : `the run's models took ${used} tokens, of max_tokens ${maxTokens}`;
}
