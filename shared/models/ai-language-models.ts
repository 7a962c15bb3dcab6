import { generateText, type LanguageModelUsage, type ToolSet } from "ai";
import * as z from "zod";
import { isObject, isTooDeep, type Json, type JsonObject } from "../domain/json.ts";
import type {
  LanguageModels,
  ModelCall,
  ModelReply,
  ModelRequest,
  ModelUsage,
} from "../domain/model/language-models.ts";
import type { CoveredProvider } from "../vocabulary/providers.ts";
import { keepContent, messagesOf } from "./conversation.ts";
import { estimateUsage } from "./estimate-usage.ts";
import { ObservedFetch, type SentInit } from "./exchange.ts";
import { failed, failureOf, ModelFailedError } from "./failure.ts";
import { pictureSizeMax } from "./models-by-name.ts";
import type { Connect, GoogleCloudSettings, ProviderAddresses, ProviderModel } from "./provider-model.ts";
import { answerName, answerTools, openToolBox, readAnswer, type ToolBox } from "./tools/tool-box.ts";

export interface AiLanguageModelsOptions {
  readonly baseUrls: ProviderAddresses;
  readonly googleCloud?: GoogleCloudSettings | undefined;
}

/** Each is loaded with its first call. */
const providers: Readonly<Record<CoveredProvider, () => Promise<{ readonly connect: Connect }>>> = {
  anthropic: () => import("./providers/anthropic.ts"),
  openai: () => import("./providers/openai.ts"),
  google: () => import("./providers/google.ts"),
  google_vertex: () => import("./providers/google-vertex.ts"),
  aws_bedrock: () => import("./providers/bedrock.ts"),
};

// Otherwise the package prints the warnings of each call.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** No call takes more. */
const tokensMax = 100_000_000;
/** No model makes more at once; each of them is kept. */
const callsMax = 100;

type Generated = Awaited<ReturnType<typeof generateText<ToolSet>>>;

export class AiLanguageModels implements LanguageModels {
  readonly #options: AiLanguageModelsOptions;

  constructor(options: AiLanguageModelsOptions) {
    this.#options = options;
  }

  pictureSizeMax(choice: Parameters<LanguageModels["pictureSizeMax"]>[0]): number {
    return pictureSizeMax(choice);
  }

  async ask(request: ModelRequest): Promise<ModelReply> {
    const { choice, timeoutMs } = request;
    const http = new ObservedFetch((init) => withSettings(init, request));
    const signal = AbortSignal.timeout(timeoutMs);
    let asked: ProviderModel | undefined;
    try {
      const { connect } = await providers[providerOf(request)]();
      const { baseUrls: addresses, googleCloud = {} } = this.#options;
      asked = await connect({ request, http, addresses, googleCloud, signal });
      const box = request.tools.kind === "actions" ? openToolBox(request.tools, asked) : undefined;
      const generated = await generateText({
        model: asked.model,
        instructions: {
          role: "system",
          content: request.system,
          ...(asked.cacheMark && { providerOptions: asked.cacheMark }),
        },
        messages: messagesOf(request.turns, choice, asked.cacheMark),
        tools: box?.tools ?? (request.tools.kind === "answer" ? answerTools(request.tools) : {}),
        providerOptions: asked.options,
        maxRetries: 0,
        abortSignal: signal,
        ...(choice.temperature !== null && { temperature: choice.temperature }),
        ...(choice.maxOutputTokens !== null && { maxOutputTokens: choice.maxOutputTokens }),
      });
      const reply = replyOf(request, generated, box, http.seen.body ?? "");
      const whole = isTooDeep(reply)
        ? failed("unavailable", "the provider's reply is nested too deeply")
        : reply;
      return isCounted(whole.usage) ? whole : { ...whole, usage: estimateUsage(request) };
    } catch (error) {
      if (error instanceof ModelFailedError) return error.failure;
      const usage = asked !== undefined && http.wasSent ? estimateUsage(request) : null;
      if (signal.aborted) {
        return { ...failed("unavailable", `the provider did not reply within ${timeoutMs} ms`), usage };
      }
      // The package's own words may repeat the request.
      if (!http.wasSent) return failed("rejected", `the request cannot be made: ${nameOf(error)}`);
      const { status = 0 } = http.seen;
      const isTaken = status >= 200 && status < 300;
      return { ...failureOf(http.seen, asked?.secrets ?? []), usage: isTaken ? usage : null };
    }
  }
}

/** Google's slot accepts either key; a service account's is used with Vertex. */
function providerOf({ choice, key }: ModelRequest): CoveredProvider {
  const isGoogle = choice.provider === "google" || choice.provider === "google_vertex";
  if (!isGoogle) return choice.provider;
  return key.authType === "service_account_json" ? "google_vertex" : "google";
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}

/** The service's own settings win. The package itself sends Bedrock's, because its body is signed. */
function withSettings(init: SentInit, { choice }: ModelRequest): SentInit {
  const { stream: _never, ...settings } = choice.additionalParams;
  if (choice.provider === "aws_bedrock" || Object.keys(settings).length === 0) return init;
  if (typeof init.body !== "string") return init;
  return { ...init, body: JSON.stringify(merge(settings, JSON.parse(init.body) as JsonObject)) };
}

function merge(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name];
    merged[name] = isObject(below) && isObject(value) ? merge(below, value) : value;
  }
  return merged;
}

function replyOf(
  request: ModelRequest,
  generated: Generated,
  box: ToolBox | undefined,
  body: string,
): ModelReply {
  const { finishReason, text, toolCalls, warnings } = generated;
  const usage = usageOf(generated.usage);
  const ignored = warnings?.find(
    (warning) => warning.type === "unsupported" && /tool/i.test(warning.feature),
  );
  if (ignored?.type === "unsupported")
    return failed("rejected", `the model does not take ${ignored.feature}`);
  // Google's package turns any JSON into this.
  if (generated.content.length === 0 && usage.inputTokens === 0)
    return failed("unavailable", "the provider's reply has nothing in it");
  if (toolCalls.length > callsMax)
    return failed("unavailable", `the provider's reply has more than ${callsMax} calls`);
  if (finishReason === "content-filter") return { kind: "refused", text, usage };
  if (finishReason === "length") return { kind: "cut_off", usage };
  const calls = toolCalls.map(({ toolCallId: callId, toolName, input }) => ({
    callId,
    toolName,
    args: asJson(input),
  }));
  if (box === undefined) {
    const value = readAnswer(calls.find(({ toolName }) => toolName === answerName)?.args, text);
    return value === undefined
      ? { kind: "unusable", error: "there is no answer", usage }
      : { kind: "answered", value, usage };
  }
  // The package adds a result of its own for an unknown tool; the service's results come with the next turn.
  const content = generated.responseMessages.flatMap((message) =>
    message.role === "assistant" ? [message.content] : [],
  );
  const { provider, model } = request.choice;
  return {
    kind: "replied",
    turn: { role: "model", provider, model, content: keepContent(content[0] ?? []) },
    text,
    calls: calls.map(
      ({ args, ...call }): ModelCall => ({ ...call, decision: box.decide(call.toolName, args) }),
    ),
    usage,
    confirmation: confirmationIn(body),
  };
}

/** Broken JSON stays a text. */
function asJson(input: unknown): Json {
  return (input ?? {}) as Json;
}

function usageOf({ inputTokens = 0, outputTokens = 0, inputTokenDetails }: LanguageModelUsage): ModelUsage {
  return { inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens ?? 0 };
}

/** A provider may say anything of its tokens, and they are added up. */
function isCounted(usage: ModelUsage | null): boolean {
  return (
    usage !== null &&
    Object.values(usage).every((tokens) => Number.isInteger(tokens) && tokens >= 0 && tokens <= tokensMax)
  );
}

const SafetyCheck = z.object({ message: z.string().nullish(), code: z.string().nullish() });
/** OpenAI has these beside a call, and Google among its arguments. The package passes neither on. */
const Demanding = z.object({
  output: z
    .array(z.object({ pending_safety_checks: z.array(SafetyCheck).optional().catch(undefined) }).catch({}))
    .optional()
    .catch(undefined),
  candidates: z
    .array(
      z.object({
        content: z.object({
          parts: z.array(
            z.object({
              functionCall: z
                .object({
                  args: z.object({
                    safety_decision: z.object({ decision: z.string(), explanation: z.string().optional() }),
                  }),
                })
                .optional()
                .catch(undefined),
            }),
          ),
        }),
      }),
    )
    .optional()
    .catch(undefined),
});

function confirmationIn(body: string): string | null {
  if (!body.includes("pending_safety_checks") && !body.includes("safety_decision")) return null;
  const { output = [], candidates = [] } = Demanding.parse(JSON.parse(body));
  const checks = output.flatMap(({ pending_safety_checks = [] }) => pending_safety_checks);
  const decisions = candidates
    .flatMap(({ content }) => content.parts)
    .flatMap(({ functionCall }) => functionCall?.args.safety_decision ?? [])
    .filter(({ decision }) => decision === "require_confirmation");
  const sentences = [
    ...checks.map(({ message, code }) => message ?? code ?? "a safety check"),
    ...decisions.map(({ explanation, decision }) => explanation ?? decision),
  ];
  return sentences.length === 0 ? null : sentences.join(" ").slice(0, 500);
}
