import * as z from "zod";
import { readPicture, require, requireStrictSchema, SaidBefore } from "./judge.ts";
import type { Decision, Judged, ProviderRequest, Seen, WireFormat } from "./wire-format.ts";

const InlineData = z.strictObject({ mimeType: z.literal("image/png"), data: z.string().min(1) });
const thoughtSignature = z.string().optional();
const FunctionCall = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
});
const FunctionResponse = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  response: z.record(z.string(), z.unknown()),
  parts: z.array(z.strictObject({ inlineData: InlineData })).optional(),
});
const Part = z.union([
  z.strictObject({ text: z.string().min(1), thought: z.boolean().optional(), thoughtSignature }),
  z.strictObject({ inlineData: InlineData, thoughtSignature }),
  z.strictObject({ functionCall: FunctionCall, thoughtSignature }),
  z.strictObject({ functionResponse: FunctionResponse }),
]);
type Part = z.infer<typeof Part>;

/** `GenerateContentParameters` of @google/genai 2.32.0 as REST has them, without what the service has no use for. */
const Request = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(Part).min(1) })).min(1),
  systemInstruction: z.strictObject({ parts: z.array(z.strictObject({ text: z.string() })) }).optional(),
  generationConfig: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      maxOutputTokens: z.int().min(1).optional(),
      thinkingConfig: z
        .strictObject({
          thinkingLevel: z.enum(["low", "high"]).optional(),
          thinkingBudget: z.int().optional(),
        })
        .optional(),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z.array(
          z.strictObject({
            name: z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/),
            description: z.string(),
            parametersJsonSchema: z.looseObject({ type: z.literal("object") }),
          }),
        ),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({ functionCallingConfig: z.strictObject({ mode: z.enum(["AUTO", "VALIDATED"]) }) })
    .optional(),
});
type Request = z.infer<typeof Request>;

/** Models that refuse a call sent back without its signature. */
const signs = /^gemini-3/;

export interface GoogleFormatOptions {
  readonly isAuthorized: (request: ProviderRequest) => boolean;
  /** The path before `/models/`. */
  readonly root: string;
  readonly aside?: WireFormat["aside"];
}

export class GoogleFormat implements WireFormat {
  readonly cachesByMark = false;
  readonly aside: WireFormat["aside"];
  readonly #said = new SaidBefore();
  readonly #options: GoogleFormatOptions;

  constructor(options: GoogleFormatOptions) {
    this.#options = options;
    this.aside = options.aside;
  }

  hasKey(request: ProviderRequest): boolean {
    return this.#options.isAuthorized(request);
  }

  modelOf({ path }: ProviderRequest): string {
    return /\/models\/([^/:]+):generateContent$/.exec(path)?.[1] ?? "";
  }

  judge(sent: ProviderRequest): Judged {
    const model = this.modelOf(sent);
    require(sent.path === `${this.#options.root}/models/${model}:generateContent`, sent.path);
    const request = Request.parse(sent.body);
    const { contents, tools = [], systemInstruction } = request;
    const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations);
    require(new Set(declared.map(({ name }) => name)).size === declared.length, "two tools of one name");
    if (request.toolConfig?.functionCallingConfig.mode === "VALIDATED")
      for (const { parametersJsonSchema } of declared) requireStrictSchema(parametersJsonSchema, false);
    this.#judgeContents(contents, signs.test(model));
    const segments = [systemInstruction, ...declared, ...contents.flatMap(({ parts }) => parts)].map(
      (content) => ({ content: content ?? null, isMarked: false }),
    );
    return { seen: seenIn(model, request), segments, cacheKey: model };
  }

  #judgeContents(contents: Request["contents"], isSigned: boolean): void {
    require(contents[0]?.role === "user" &&
      contents.at(-1)?.role === "user", "begins and ends with the user");
    let calls: readonly z.infer<typeof FunctionCall>[] = [];
    for (const [index, { role, parts }] of contents.entries()) {
      const responses = parts.flatMap((part) => ("functionResponse" in part ? [part.functionResponse] : []));
      if (role === "model") {
        require(contents[index - 1]?.role === "user", "two turns of the model");
        calls = parts.flatMap((part) => ("functionCall" in part ? [part.functionCall] : []));
        const [first] = parts.filter((part) => "functionCall" in part);
        require(!isSigned ||
          first === undefined ||
          first.thoughtSignature !== undefined, "a call without its signature");
        if (first?.thoughtSignature !== undefined)
          this.#said.requireUnchanged(
            first.thoughtSignature,
            calls.map(({ name, args }) => [name, args]),
          );
        continue;
      }
      // The content right after the calls has one response each, by name and in order.
      require(responses.map(({ name }) => name).join() ===
        calls.map(({ name }) => name).join(), "calls and responses differ");
      calls = [];
    }
    require(calls.length === 0, "calls without responses");
  }

  reply(...[decisions, judged, tokens, ending]: Parameters<WireFormat["reply"]>): unknown {
    const signature = Buffer.from(this.#said.id("signature")).toString("base64");
    const calls = decisions.flatMap((decision) =>
      "call" in decision ? [{ name: decision.call, args: argsOf(decision) }] : [],
    );
    const demand = {
      safety_decision: { decision: "require_confirmation", explanation: "This buys something." },
    };
    const made = calls.map((call) =>
      ending === "confirmation" ? { ...call, args: { ...call.args, ...demand } } : call,
    );
    this.#said.keep(
      signature,
      made.map(({ name, args }) => [name, args]),
    );
    const parts = [
      ...decisions.flatMap((decision) => ("say" in decision ? [{ text: decision.say }] : [])),
      ...made.map((functionCall, index) => ({
        functionCall: { ...functionCall, id: this.#said.id("fc") },
        ...(index === 0 && { thoughtSignature: signature }),
      })),
    ];
    const usageMetadata = {
      promptTokenCount: tokens.input,
      cachedContentTokenCount: tokens.cached,
      candidatesTokenCount: tokens.output,
      totalTokenCount: tokens.input + tokens.output,
    };
    const about = { usageMetadata, modelVersion: judged.seen.model, responseId: this.#said.id("r") };
    if (ending === "filtered") return { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, ...about };
    const finishReason = ending === "refusal" ? "SAFETY" : ending === "cut_off" ? "MAX_TOKENS" : "STOP";
    const content = ending === "refusal" ? {} : { role: "model", parts };
    return { candidates: [{ content, finishReason, index: 0 }], ...about };
  }

  error(...[kind, message]: Parameters<WireFormat["error"]>) {
    const details = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" };
    const of = {
      // Google responds 400 here, not 401.
      wrong_key: [400, "INVALID_ARGUMENT", [details]],
      unknown_model: [404, "NOT_FOUND", []],
      invalid: [400, "INVALID_ARGUMENT", []],
      rate_limit: [
        429,
        "RESOURCE_EXHAUSTED",
        [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }],
      ],
      overloaded: [503, "UNAVAILABLE", []],
      server_error: [500, "INTERNAL", []],
      no_money: [400, "FAILED_PRECONDITION", []],
    } as const;
    const [code, status, list] = of[kind];
    return { status: code, body: { error: { code, message, status, details: list } } };
  }
}

function argsOf(decision: Extract<Decision, { call: string }>): Readonly<Record<string, unknown>> {
  return "args" in decision ? decision.args : { broken: decision.brokenArgs };
}

function picturesOf(part: Part) {
  if ("inlineData" in part) return [part.inlineData];
  return "functionResponse" in part
    ? (part.functionResponse.parts ?? []).map(({ inlineData }) => inlineData)
    : [];
}

function seenIn(model: string, { contents, systemInstruction, tools = [] }: Request): Seen {
  const pictures = contents
    .flatMap(({ parts }) => parts.flatMap(picturesOf))
    .map(({ data }) => readPicture(data));
  const after = contents
    .slice(contents.findLastIndex(({ role }) => role === "model") + 1)
    .flatMap(({ parts }) => parts);
  return {
    model,
    system: (systemInstruction?.parts ?? []).map(({ text }) => text).join("\n"),
    task: (contents[0]?.parts ?? []).flatMap((part) => ("text" in part ? [part.text] : [])).join("\n"),
    picture: pictures.at(-1),
    pictureCount: pictures.length,
    words: after.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n"),
    toolNames: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
    results: after.flatMap((part) => {
      if (!("functionResponse" in part)) return [];
      const { id = "", response } = part.functionResponse;
      const text = String(response.content ?? response.error ?? response.output ?? JSON.stringify(response));
      return [{ callId: id, text, isError: text.startsWith("failed: ") }];
    }),
    turns: contents.filter(({ role }) => role === "model").length,
  };
}
