import * as z from "zod";
import { readPicture, require, requireAnswers, requireStrictSchema, SaidBefore } from "./judge.ts";
import type { Decision, Judged, ProviderRequest, Seen, Segment, WireFormat } from "./wire-format.ts";

const CacheControl = z.strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() });
const cache_control = CacheControl.nullish();
const Text = z.strictObject({ type: z.literal("text"), text: z.string().min(1), cache_control });
const Image = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.literal("image/png"),
    data: z.string().min(1),
  }),
  cache_control,
});
const ToolUse = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  toolset_name: z.string().nullish(),
  caller: z.strictObject({ type: z.literal("direct") }).optional(),
  cache_control,
});
const Thinking = z.strictObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().min(1),
});
const ToolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [Text, Image]))]).optional(),
  is_error: z.boolean().optional(),
  toolset_name: z.string().nullish(),
  cache_control,
});
const Message = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("user"),
    content: z.array(z.discriminatedUnion("type", [ToolResult, Text, Image])).min(1),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.array(z.discriminatedUnion("type", [Thinking, Text, ToolUse])).min(1),
  }),
]);
const Tool = z.strictObject({
  type: z.literal("custom").nullish(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal("object") }),
  strict: z.boolean().optional(),
  cache_control,
});
const Computer = z.strictObject({
  type: z.enum(["computer_20250124", "computer_20251124"]),
  name: z.literal("computer"),
  display_width_px: z.int().min(1),
  display_height_px: z.int().min(1),
  enable_zoom: z.boolean().optional(),
  cache_control,
});
const Toolset = z.strictObject({ type: z.literal("computer_toolset_20260801"), cache_control });

/** `MessageCreateParamsBase` of @anthropic-ai/sdk 1.12.0, without what the service has no use for. */
const Request = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z.array(Message).min(1),
  system: z.array(Text).optional(),
  temperature: z.number().min(0).max(1).optional(),
  thinking: z
    .strictObject({ type: z.literal("adaptive"), display: z.enum(["summarized", "omitted"]).optional() })
    .optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  output_config: z.strictObject({ effort: z.enum(["low", "medium", "high", "xhigh", "max"]) }).optional(),
  tools: z.array(z.union([Computer, Toolset, Tool])).optional(),
  tool_choice: z
    .strictObject({ type: z.literal("auto"), disable_parallel_tool_use: z.boolean().optional() })
    .optional(),
});
type Request = z.infer<typeof Request>;

const betas = {
  computer_20250124: "computer-use-2025-01-24",
  computer_20251124: "computer-use-2025-11-24",
} as const;
/** Models that take the toolset only, and no temperature. */
const newest = /^claude-(fable|mythos|opus|sonnet|haiku)-5/;

export class AnthropicFormat implements WireFormat {
  readonly cachesByMark = true;
  readonly #said = new SaidBefore();
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  hasKey({ headers }: ProviderRequest): boolean {
    return headers["x-api-key"] === this.#key;
  }

  modelOf({ body }: ProviderRequest): string {
    return z.looseObject({ model: z.string() }).parse(body).model;
  }

  judge({ path, headers, body }: ProviderRequest): Judged {
    require(path === "/messages" && headers["anthropic-version"] === "2023-06-01", `${path} or its version`);
    const request = Request.parse(body);
    this.#judgeTools(request, String(headers["anthropic-beta"] ?? "").split(","));
    this.#judgeMessages(request);
    const segments: Segment[] = [
      ...(request.tools ?? []).map(segmentOf),
      ...(request.system ?? []).map(segmentOf),
      ...request.messages.flatMap(({ content }) => content.map(segmentOf)),
    ];
    require(segments.filter(({ isMarked }) => isMarked).length <= 4, "more than 4 cache marks");
    return { seen: seenIn(request), segments, cacheKey: request.model };
  }

  #judgeTools({ model, tools = [], temperature }: Request, sent: readonly string[]): void {
    const names = tools.map((tool) => ("name" in tool ? tool.name : tool.type));
    require(new Set(names).size === names.length, "two tools of one name");
    require(!newest.test(model) || temperature === undefined, `temperature is not supported by ${model}`);
    for (const tool of tools) {
      if (tool.type === "computer_20250124" || tool.type === "computer_20251124") {
        require(sent.includes(betas[tool.type]), `${tool.type} needs its beta`);
        require(!newest.test(model), `${model} does not take ${tool.type}`);
      } else if (tool.type === "computer_toolset_20260801") {
        require(newest.test(model) || model === "claude-opus-4-8", `${model} does not take ${tool.type}`);
      } else if ("strict" in tool && tool.strict === true) requireStrictSchema(tool.input_schema, false);
    }
    // Source: https://platform.claude.com/docs/en/build-with-claude/structured-outputs, "Schema complexity limits".
    const strict = tools.flatMap((tool) =>
      "strict" in tool && tool.strict === true ? [tool.input_schema] : [],
    );
    const optional = strict.map(
      ({ properties, required }) => Object.keys(properties as object).length - (required as []).length,
    );
    require(strict.length <= 20 &&
      optional.reduce((sum, count) => sum + count, 0) <= 24, "strict tools are too complex");
  }

  #judgeMessages({ messages, tools = [] }: Request): void {
    require(messages[0]?.role === "user" &&
      messages.at(-1)?.role === "user", "begins and ends with the user");
    const hasToolset = tools.some(({ type }) => type === "computer_toolset_20260801");
    let calls: readonly z.infer<typeof ToolUse>[] = [];
    for (const [index, { role, content }] of messages.entries()) {
      require(index === 0 || messages[index - 1]?.role !== role, "roles do not alternate");
      if (role === "assistant") {
        require(calls.length === 0, "calls without results");
        calls = content.filter((block) => block.type === "tool_use");
        // A text alone has no id to recognize it by.
        const [first] = calls;
        if (first) this.#said.requireUnchanged(first.id, content.map(asSaid));
        continue;
      }
      const results = content.filter((block) => block.type === "tool_result");
      require(content.findLastIndex(({ type }) => type === "tool_result") ===
        results.length - 1, "results come first");
      requireAnswers(
        calls.map(({ id }) => id),
        results.map(({ tool_use_id }) => tool_use_id),
      );
      for (const { tool_use_id, toolset_name } of results) {
        const call = calls.find(({ id }) => id === tool_use_id);
        require((call?.toolset_name ?? undefined) ===
          (toolset_name ?? undefined), "a member's result names its toolset");
        require(hasToolset || toolset_name == null, "a toolset that is not declared");
      }
      calls = [];
    }
    require(calls.length === 0, "calls without results");
  }

  reply(...[decisions, judged, tokens, ending]: Parameters<WireFormat["reply"]>): unknown {
    const { toolNames } = judged.seen;
    const blocks = decisions.map((decision) => this.#block(decision, toolNames));
    const [first] = blocks.filter((block) => block.type === "tool_use");
    const content = [{ type: "thinking", thinking: "", signature: this.#said.id("sig_") }, ...blocks];
    if (first !== undefined && "id" in first) {
      this.#said.keep(String(first.id), content.map(asSaid));
    }
    const usual = first === undefined ? "end_turn" : "tool_use";
    const stops = {
      refusal: "refusal",
      filtered: "refusal",
      cut_off: "max_tokens",
      confirmation: usual,
    } as const;
    return {
      id: this.#said.id("msg_"),
      type: "message",
      role: "assistant",
      model: judged.seen.model,
      container: null,
      diagnostics: null,
      content: ending === "refusal" || ending === "filtered" ? [] : content,
      stop_reason: ending === undefined ? usual : stops[ending],
      stop_details: ending === "refusal" ? { type: "refusal", category: null, explanation: "no" } : null,
      stop_sequence: null,
      usage: {
        input_tokens: tokens.input - tokens.cached - tokens.written,
        cache_read_input_tokens: tokens.cached,
        cache_creation_input_tokens: tokens.written,
        cache_creation: { ephemeral_5m_input_tokens: tokens.written, ephemeral_1h_input_tokens: 0 },
        output_tokens: tokens.output,
        output_tokens_details: null,
        server_tool_use: null,
        service_tier: "standard",
        inference_geo: null,
        speed: null,
      },
    };
  }

  #block(decision: Decision, toolNames: readonly string[]) {
    if ("say" in decision) return { type: "text", text: decision.say, citations: null } as const;
    const id = this.#said.id("toolu_");
    const args = "args" in decision ? decision.args : { broken: decision.brokenArgs };
    const member =
      toolNames.includes("computer") || toolNames.includes("computer_toolset")
        ? memberOf(decision.call, args)
        : undefined;
    const caller = { type: "direct" };
    if (member === undefined)
      return { type: "tool_use", id, name: decision.call, input: args, caller } as const;
    const { action, ...input } = member;
    if (toolNames.includes("computer"))
      return { type: "tool_use", id, name: "computer", input: { action, ...input }, caller } as const;
    return { type: "tool_use", id, name: String(action), input, toolset_name: "computer", caller } as const;
  }

  error(...[kind, message]: Parameters<WireFormat["error"]>) {
    const of = {
      wrong_key: [401, "authentication_error"],
      unknown_model: [404, "not_found_error"],
      invalid: [400, "invalid_request_error"],
      rate_limit: [429, "rate_limit_error"],
      overloaded: [529, "overloaded_error"],
      server_error: [500, "api_error"],
      no_money: [402, "billing_error"],
    } as const;
    const [status, type] = of[kind];
    return { status, body: { type: "error", error: { type, message }, request_id: "req_1" } };
  }
}

/** Translates our vocabulary into the computer tool's; undefined for actions that it lacks or that are translated. */
function memberOf(
  call: string,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const at = args.x === undefined ? {} : { coordinate: [args.x, args.y] };
  const clicks =
    args.button === "right"
      ? "right_click"
      : ["left_click", "left_click", "double_click", "triple_click"][Number(args.clicks ?? 1)];
  switch (call) {
    case "click":
      return { action: clicks, ...at };
    case "move":
      return { action: "mouse_move", ...at };
    case "drag":
      return {
        action: "left_click_drag",
        start_coordinate: [args.start_x, args.start_y],
        coordinate: [args.to_x, args.to_y],
      };
    case "scroll":
      return { action: "scroll", ...at, scroll_direction: args.direction, scroll_amount: args.amount };
    case "type":
    case "key":
      return { action: call, text: args.text };
    case "wait":
      return { action: "wait", duration: args.seconds };
    case "screenshot":
      return { action: "screenshot" };
    case "computer":
      return { ...args };
    default:
      return undefined;
  }
}

/** Removes parts that may differ: marks, citations, and the member's name, which the package adds to the arguments. */
function asSaid(block: object): object {
  const { cache_control: _mark, citations: _citations, ...said } = block as Record<string, unknown>;
  if (said.toolset_name == null) return said;
  const { action: _member, ...input } = said.input as Record<string, unknown>;
  return { ...said, input };
}

function segmentOf<Part extends { readonly cache_control?: unknown }>({
  cache_control: mark,
  ...content
}: Part): Segment {
  return { content, isMarked: mark != null };
}

function wordsIn(content: Request["messages"][number]["content"]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function seenIn({ model, system = [], messages, tools = [] }: Request): Seen {
  const pictures = messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      const parts = block.type === "tool_result" && Array.isArray(block.content) ? block.content : [block];
      return parts.flatMap((part) => (part.type === "image" ? [readPicture(part.source.data)] : []));
    }),
  );
  const last = messages.at(-1)?.content ?? [];
  const results = last.flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const parts =
      typeof block.content === "string"
        ? [block.content]
        : (block.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []));
    return [{ callId: block.tool_use_id, text: parts.join("\n"), isError: block.is_error ?? false }];
  });
  return {
    model,
    system: system.map(({ text }) => text).join("\n"),
    task: wordsIn(messages[0]?.content ?? []),
    picture: pictures.at(-1),
    pictureCount: pictures.length,
    words: wordsIn(last),
    toolNames: tools.map((tool) => ("name" in tool ? tool.name : "computer_toolset")),
    results,
    turns: messages.filter(({ role }) => role === "assistant").length,
  };
}
