import * as z from "zod";
import { readPicture, require, requireAnswers, requireStrictSchema, SaidBefore } from "./judge.ts";
import type { Decision, Judged, ProviderRequest, Seen, Segment, WireFormat } from "./wire-format.ts";

const CachePoint = z.strictObject({ cachePoint: z.strictObject({ type: z.literal("default") }) });
const Text = z.strictObject({ text: z.string().min(1) });
const Image = z.strictObject({
  image: z.strictObject({ format: z.literal("png"), source: z.strictObject({ bytes: z.string().min(1) }) }),
});
const toolUseId = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const ToolUse = z.strictObject({
  toolUse: z.strictObject({ toolUseId, name: z.string(), input: z.record(z.string(), z.unknown()) }),
});
const ToolResult = z.strictObject({
  toolResult: z.strictObject({
    toolUseId,
    content: z.array(z.union([Text, Image])).min(1),
    status: z.enum(["success", "error"]).optional(),
  }),
});
const Reasoning = z.strictObject({
  reasoningContent: z.strictObject({
    reasoningText: z.strictObject({ text: z.string(), signature: z.string().min(1) }),
  }),
});
const Block = z.union([Text, Image, ToolUse, ToolResult, Reasoning, CachePoint]);
type Block = z.infer<typeof Block>;

/** `ConverseRequest` of @aws-sdk/client-bedrock-runtime 3.1164.0, without what the service has no use for. */
const Request = z.strictObject({
  messages: z
    .array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.array(Block).min(1) }))
    .min(1),
  system: z.array(z.union([Text, CachePoint])).optional(),
  inferenceConfig: z
    .strictObject({ maxTokens: z.int().min(1).optional(), temperature: z.number().min(0).max(1).optional() })
    .optional(),
  toolConfig: z
    .strictObject({
      tools: z.array(
        z.strictObject({
          toolSpec: z.strictObject({
            name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
            description: z.string().min(1).optional(),
            inputSchema: z.strictObject({ json: z.looseObject({ type: z.literal("object") }) }),
            strict: z.boolean().optional(),
          }),
        }),
      ),
      toolChoice: z.strictObject({ auto: z.strictObject({}) }).optional(),
    })
    .optional(),
  additionalModelRequestFields: z.record(z.string(), z.unknown()).optional(),
  additionalModelResponseFieldPaths: z.array(z.string()).optional(),
});
type Request = z.infer<typeof Request>;

/** Models that accept a cache point; others refuse the request. */
const caches = /anthropic\.claude|amazon\.nova/;

export class BedrockFormat implements WireFormat {
  readonly cachesByMark = true;
  readonly #said = new SaidBefore();
  readonly #isAuthorized: (request: ProviderRequest) => boolean | Promise<boolean>;

  constructor(isAuthorized: (request: ProviderRequest) => boolean | Promise<boolean>) {
    this.#isAuthorized = isAuthorized;
  }

  hasKey(request: ProviderRequest): boolean | Promise<boolean> {
    return this.#isAuthorized(request);
  }

  modelOf({ path }: ProviderRequest): string {
    return decodeURIComponent(/^\/model\/([^/]+)\/converse$/.exec(path)?.[1] ?? "");
  }

  judge(sent: ProviderRequest): Judged {
    const model = this.modelOf(sent);
    const request = Request.parse(sent.body);
    const { toolConfig, system = [], messages } = request;
    const tools = (toolConfig?.tools ?? []).map(({ toolSpec }) => toolSpec);
    require(new Set(tools.map(({ name }) => name)).size === tools.length, "two tools of one name");
    for (const { strict, inputSchema } of tools)
      if (strict === true) requireStrictSchema(inputSchema.json, false);
    this.#judgeMessages(messages);
    const segments = segmentsOf([...tools, ...system, ...messages.flatMap(({ content }) => content)]);
    const marks = segments.filter(({ isMarked }) => isMarked).length;
    require(marks <= 4 && (marks === 0 || caches.test(model)), `${marks} cache points`);
    return { seen: seenIn(model, request), segments, cacheKey: model };
  }

  #judgeMessages(messages: Request["messages"]): void {
    require(messages[0]?.role === "user" &&
      messages.at(-1)?.role === "user", "begins and ends with the user");
    let calls: readonly string[] = [];
    for (const [index, { role, content }] of messages.entries()) {
      require(index === 0 || messages[index - 1]?.role !== role, "roles do not alternate");
      if (role === "assistant") {
        require(calls.length === 0, "calls without results");
        calls = content.flatMap((block) => ("toolUse" in block ? [block.toolUse.toolUseId] : []));
        const [first] = calls;
        if (first !== undefined)
          this.#said.requireUnchanged(
            first,
            content.filter((block) => !("cachePoint" in block)),
          );
        continue;
      }
      requireAnswers(
        calls,
        content.flatMap((block) => ("toolResult" in block ? [block.toolResult.toolUseId] : [])),
      );
      calls = [];
    }
    require(calls.length === 0, "calls without results");
  }

  reply(...[decisions, , tokens, ending]: Parameters<WireFormat["reply"]>): unknown {
    const reasoning = {
      reasoningContent: { reasoningText: { text: "The button is there.", signature: this.#said.id("sig_") } },
    };
    const content = [reasoning, ...decisions.map((decision) => this.#block(decision))];
    const first = content.find((block) => "toolUse" in block);
    if (first !== undefined && "toolUse" in first) this.#said.keep(first.toolUse.toolUseId, content);
    const usual = first === undefined ? "end_turn" : "tool_use";
    const stops = {
      refusal: "content_filtered",
      filtered: "guardrail_intervened",
      cut_off: "max_tokens",
      confirmation: usual,
    } as const;
    return {
      output: { message: { role: "assistant", content: ending === "refusal" ? [] : content } },
      stopReason: ending === undefined ? usual : stops[ending],
      usage: {
        inputTokens: tokens.input - tokens.cached - tokens.written,
        cacheReadInputTokens: tokens.cached,
        cacheWriteInputTokens: tokens.written,
        outputTokens: tokens.output,
        totalTokens: tokens.input + tokens.output,
      },
      metrics: { latencyMs: 900 },
    };
  }

  #block(decision: Decision) {
    if ("say" in decision) return { text: decision.say };
    const input = "args" in decision ? decision.args : { broken: decision.brokenArgs };
    return { toolUse: { toolUseId: this.#said.id("tooluse_"), name: decision.call, input } };
  }

  error(...[kind, message]: Parameters<WireFormat["error"]>) {
    const of = {
      wrong_key: [403, "UnrecognizedClientException", message],
      unknown_model: [400, "ValidationException", "The provided model identifier is invalid."],
      invalid: [400, "ValidationException", message],
      rate_limit: [429, "ThrottlingException", message],
      overloaded: [503, "ServiceUnavailableException", message],
      server_error: [500, "InternalServerException", message],
      no_money: [400, "ValidationException", message],
    } as const;
    const [status, type, words] = of[kind];
    const headers = { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` };
    return { status, headers, body: { message: words } };
  }
}

/** A cache point marks what is before it. */
function segmentsOf(blocks: readonly object[]): readonly Segment[] {
  return blocks.flatMap((content, index) => {
    if ("cachePoint" in content) return [];
    return [{ content, isMarked: "cachePoint" in (blocks[index + 1] ?? {}) }];
  });
}

function picturesOf(block: Block) {
  if ("image" in block) return [block.image];
  return "toolResult" in block
    ? block.toolResult.content.flatMap((part) => ("image" in part ? [part.image] : []))
    : [];
}

function wordsIn(content: Request["messages"][number]["content"]): string {
  return content.flatMap((block) => ("text" in block ? [block.text] : [])).join("\n");
}

function seenIn(model: string, { messages, system = [], toolConfig }: Request): Seen {
  const pictures = messages
    .flatMap(({ content }) => content.flatMap(picturesOf))
    .map(({ source }) => readPicture(source.bytes));
  const last = messages.at(-1)?.content ?? [];
  return {
    model,
    system: system.flatMap((block) => ("text" in block ? [block.text] : [])).join("\n"),
    task: wordsIn(messages[0]?.content ?? []),
    picture: pictures.at(-1),
    pictureCount: pictures.length,
    words: wordsIn(last),
    toolNames: (toolConfig?.tools ?? []).map(({ toolSpec }) => toolSpec.name),
    results: last.flatMap((block) => {
      if (!("toolResult" in block)) return [];
      const { toolUseId: callId, content } = block.toolResult;
      const text = content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
      return [{ callId, text, isError: text.startsWith("failed: ") }];
    }),
    turns: messages.filter(({ role }) => role === "assistant").length,
  };
}
