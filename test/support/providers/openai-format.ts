import * as z from "zod";
import { readPicture, require, requireAnswers, requireStrictSchema, SaidBefore } from "./judge.ts";
import type { Decision, Judged, ProviderRequest, Seen, WireFormat } from "./wire-format.ts";

const InputText = z.strictObject({ type: z.literal("input_text"), text: z.string().min(1) });
const InputImage = z.strictObject({
  type: z.literal("input_image"),
  detail: z.enum(["low", "high", "auto", "original"]).optional(),
  image_url: z.string().startsWith("data:image/png;base64,"),
});
const Content = z.array(z.discriminatedUnion("type", [InputText, InputImage])).min(1);
const System = z.strictObject({ role: z.enum(["system", "developer"]), content: z.string().min(1) });
const User = z.strictObject({ role: z.literal("user"), content: Content });
/** `EasyInputMessage`. */
const Assistant = z.strictObject({
  role: z.literal("assistant"),
  content: z.string().min(1),
  phase: z.enum(["commentary", "final_answer"]).nullish(),
});
const Reasoning = z.strictObject({
  type: z.literal("reasoning"),
  id: z.string().optional(),
  summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
  encrypted_content: z.string().min(1),
});
const FunctionCall = z.strictObject({
  type: z.literal("function_call"),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  id: z.string().optional(),
  status: z.enum(["in_progress", "completed", "incomplete"]).optional(),
});
const FunctionCallOutput = z.strictObject({
  type: z.literal("function_call_output"),
  call_id: z.string(),
  output: z.union([z.string(), Content]),
});
const Item = z.union([System, User, Assistant, Reasoning, FunctionCall, FunctionCallOutput]);
type Item = z.infer<typeof Item>;

const FunctionTool = z.strictObject({
  type: z.literal("function"),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().optional(),
  parameters: z.looseObject({ type: z.literal("object") }),
  strict: z.boolean(),
});

/** `ResponseCreateParamsBase` of openai 6.49.0, without what the service has no use for. */
const Request = z.strictObject({
  model: z.string(),
  input: z.array(Item).min(1),
  store: z.literal(false),
  include: z.array(z.literal("reasoning.encrypted_content")).optional(),
  prompt_cache_key: z.string().max(64),
  parallel_tool_calls: z.boolean(),
  max_output_tokens: z.int().min(16).optional(),
  temperature: z.number().min(0).max(2).optional(),
  reasoning: z.strictObject({ effort: z.enum(["none", "low", "medium", "high", "xhigh"]) }).optional(),
  text: z.strictObject({ verbosity: z.enum(["low", "medium", "high"]) }).optional(),
  tools: z.array(FunctionTool).optional(),
  tool_choice: z.literal("auto").optional(),
});
type Request = z.infer<typeof Request>;

/** Reasoning models take no temperature, and keep their reasoning with the client. */
const reasons = /^(gpt-[5-9]|o\d)/;

export class OpenAiFormat implements WireFormat {
  readonly cachesByMark = false;
  readonly #said = new SaidBefore();
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  hasKey({ headers }: ProviderRequest): boolean {
    return headers.authorization === `Bearer ${this.#key}`;
  }

  modelOf({ body }: ProviderRequest): string {
    return z.looseObject({ model: z.string() }).parse(body).model;
  }

  judge({ path, body }: ProviderRequest): Judged {
    require(path === "/responses", path);
    const request = Request.parse(body);
    const { model, tools = [], input, temperature, include = [] } = request;
    require(new Set(tools.map(({ name }) => name)).size === tools.length, "two tools of one name");
    for (const { strict, parameters } of tools) if (strict) requireStrictSchema(parameters, true);
    require(!reasons.test(model) || (temperature === undefined && include.length === 1), `${model} reasons`);
    this.#judgeItems(input, reasons.test(model));
    const segments = [...tools, ...input].map((content) => ({ content, isMarked: false }));
    return { seen: seenIn(request), segments, cacheKey: `${model} ${request.prompt_cache_key}` };
  }

  #judgeItems(items: readonly Item[], isReasoning: boolean): void {
    const open = new Set<string>();
    let reasoning: z.infer<typeof Reasoning> | undefined;
    for (const [index, item] of items.entries()) {
      if ("type" in item && item.type === "function_call_output") {
        require(open.delete(item.call_id), `a result of no open call ${item.call_id}`);
      } else if ("type" in item && item.type === "function_call") {
        open.add(item.call_id);
        require(!isReasoning || reasoning !== undefined, "a call without the reasoning before it");
        this.#said.requireUnchanged(item.call_id, [
          reasoning?.encrypted_content,
          item.name,
          JSON.parse(item.arguments),
        ]);
      } else if ("type" in item) {
        reasoning = item;
      } else if (item.role === "user" || item.role === "assistant") {
        requireAnswers([], [...open]);
      } else require(index === 0, "the system's words come first");
    }
    requireAnswers([], [...open]);
  }

  reply(...[decisions, judged, tokens, ending]: Parameters<WireFormat["reply"]>): unknown {
    const { model } = judged.seen;
    const encrypted = reasons.test(model) ? this.#said.id("enc_") : undefined;
    const reasoning = {
      type: "reasoning",
      id: this.#said.id("rs_"),
      summary: [],
      encrypted_content: encrypted,
    };
    const items =
      ending === "refusal"
        ? [this.#message({ type: "refusal", refusal: "I cannot help with that." })]
        : decisions.map((decision) => this.#item(decision, encrypted));
    const isShort = ending === "cut_off" || ending === "filtered";
    const checks = [
      { id: "sc_1", code: "malicious_instructions", message: "A page may try to give instructions." },
    ];
    return {
      id: this.#said.id("resp_"),
      object: "response",
      created_at: 1_790_000_000,
      model,
      status: isShort ? "incomplete" : "completed",
      error: null,
      incomplete_details: isShort
        ? { reason: ending === "cut_off" ? "max_output_tokens" : "content_filter" }
        : null,
      instructions: null,
      metadata: {},
      output: [
        ...(encrypted === undefined ? [] : [reasoning]),
        ...items.map((item) =>
          ending === "confirmation" ? { ...item, pending_safety_checks: checks } : item,
        ),
      ],
      parallel_tool_calls: false,
      temperature: 1,
      top_p: 1,
      tool_choice: "auto",
      tools: [],
      service_tier: "default",
      usage: {
        input_tokens: tokens.input,
        input_tokens_details: { cached_tokens: tokens.cached },
        output_tokens: tokens.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: tokens.input + tokens.output,
      },
    };
  }

  #item(decision: Decision, encrypted: string | undefined): object {
    if ("say" in decision) return this.#message({ type: "output_text", text: decision.say, annotations: [] });
    const call_id = this.#said.id("call_");
    const isBroken = "brokenArgs" in decision;
    this.#said.keep(call_id, [encrypted, decision.call, isBroken ? {} : decision.args]);
    const text = isBroken ? decision.brokenArgs : JSON.stringify(decision.args);
    return {
      type: "function_call",
      id: this.#said.id("fc_"),
      call_id,
      name: decision.call,
      arguments: text,
      status: "completed",
    };
  }

  #message(content: object): object {
    return {
      type: "message",
      id: this.#said.id("msg_"),
      role: "assistant",
      status: "completed",
      content: [content],
    };
  }

  error(...[kind, message]: Parameters<WireFormat["error"]>) {
    const of = {
      wrong_key: [401, "invalid_request_error", "invalid_api_key"],
      unknown_model: [400, "invalid_request_error", "model_not_found"],
      invalid: [400, "invalid_request_error", "invalid_value"],
      rate_limit: [429, "tokens", "rate_limit_exceeded"],
      overloaded: [503, "server_error", "server_is_overloaded"],
      server_error: [500, "server_error", null],
      no_money: [429, "insufficient_quota", "insufficient_quota"],
    } as const;
    const [status, type, code] = of[kind];
    return { status, body: { error: { message, type, param: null, code } } };
  }
}

function seenIn({ model, input, tools = [] }: Request): Seen {
  const contentOf = (item: Item) => {
    if ("role" in item) return item.role === "user" ? item.content : [];
    return item.type === "function_call_output" && typeof item.output !== "string" ? item.output : [];
  };
  const pictures = input
    .flatMap(contentOf)
    .flatMap((part) =>
      part.type === "input_image" ? [readPicture(part.image_url.slice("data:image/png;base64,".length))] : [],
    );
  const own = (item: Item) =>
    "role" in item ? item.role === "assistant" : item.type !== "function_call_output";
  const after = input.slice(input.findLastIndex(own) + 1);
  const textOf = (item: Item) =>
    contentOf(item).flatMap((part) => (part.type === "input_text" ? [part.text] : []));
  return {
    model,
    system: input
      .flatMap((item) =>
        "role" in item && (item.role === "system" || item.role === "developer") ? [item.content] : [],
      )
      .join("\n"),
    task: input
      .filter((item) => "role" in item && item.role === "user")
      .slice(0, 1)
      .flatMap(textOf)
      .join("\n"),
    picture: pictures.at(-1),
    pictureCount: pictures.length,
    words: after.flatMap((item) => ("role" in item ? textOf(item) : [])).join("\n"),
    toolNames: tools.map(({ name }) => name),
    results: after.flatMap((item) => {
      if ("role" in item || item.type !== "function_call_output") return [];
      const text = typeof item.output === "string" ? item.output : textOf(item).join("\n");
      return [{ callId: item.call_id, text, isError: text.startsWith("failed: ") }];
    }),
    turns: input.filter((item, index) => own(item) && !(index > 0 && own(input[index - 1] ?? item))).length,
  };
}
