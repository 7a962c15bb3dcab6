import { describe, expect, it } from "vitest";
import type { ConversationTurn } from "../../../shared/domain/model/language-models.ts";
import { AiLanguageModels } from "../../../shared/models/ai-language-models.ts";
import {
  aPicture,
  aRequest,
  click,
  failedWith,
  replied,
  start,
  startDeciding,
  task,
} from "../../support/models/ask.ts";
import { accessToken } from "../../support/providers/authorization.ts";
import { type ProviderKind, providerKinds } from "../../support/providers/start-provider.ts";
import type { Decision } from "../../support/providers/wire-format.ts";

const formats: ReadonlySet<ProviderKind> = new Set(["anthropic", "openai", "google", "bedrock by key"]);

const someTokens = { inputTokens: expect.toSatisfy((tokens: number) => tokens > 1_600), cachedTokens: 0 };

describe.each(providerKinds)("a model of %s", (kind) => {
  it("decides an action by the picture that it was sent", async () => {
    const started = await startDeciding(kind, ({ picture, words }) => [
      { call: "click", args: { x: picture?.width ?? 0, y: picture?.height ?? 0, target: words } },
    ]);
    const reply = replied(await new AiLanguageModels(started.options).ask(aRequest(started)));
    expect(started.server.refusals).toEqual([]);
    const [call] = reply.calls;
    expect(call?.decision).toMatchObject({
      kind: "actions",
      actions: [{ type: "click", x: 64, y: 40, button: "left", clicks: 1 }],
    });
    expect(reply).toMatchObject({ confirmation: null, usage: { cachedTokens: 0, outputTokens: 40 } });
  });

  it("is answered with words and pictures, each turn as it was given, over many steps", async () => {
    // Each format once is long enough to see what its cache saves.
    const steps = formats.has(kind) ? 50 : 4;
    let step = 0;
    const started = await startDeciding(kind, () => {
      step += 1;
      return [
        { say: "I press it." },
        step % 2 === 0 ? click : { call: "finish", args: { output: '{"a":1}' } },
      ];
    });
    const models = new AiLanguageModels(started.options);
    const used = { input: 0, cached: 0 };
    const turns: ConversationTurn[] = [task];
    for (let index = 0; index < steps; index += 1) {
      const reply = replied(await models.ask(aRequest(started, { turns })));
      expect(reply.text).toBe("I press it.");
      used.input += reply.usage.inputTokens;
      used.cached += reply.usage.cachedTokens;
      const results = reply.calls.map(({ callId, toolName }) => ({
        callId,
        toolName,
        isError: index % 5 === 0,
        text: "done",
        picture: index % 5 === 0 ? aPicture(index * 5) : undefined,
      }));
      turns.push(JSON.parse(JSON.stringify(reply.turn)), { role: "results", results });
    }
    expect(started.server.refusals).toEqual([]);
    const last = started.server.requests.at(-1)?.judged?.seen;
    expect(last).toMatchObject({
      turns: steps - 1,
      pictureCount: 1 + Math.ceil((steps - 1) / 5),
      results: [{ text: expect.stringContaining("done") }],
    });
    const { input, cached, resent } = started.server.tokens;
    expect({ input: used.input, cached: used.cached }).toEqual({ input, cached });
    expect(resent / input).toBeLessThanOrEqual(0.25);
    expect(cached / input).toBeGreaterThan(0.5);
  });

  it.each([
    ["another model's turns", { provider: "openai", model: "another" }],
    ["those of its own that are marked so", { inWords: true }],
  ] as const)("is told %s in words, with their pictures", async (_, by) => {
    const all = await start(kind, click);
    const { started, models } = all;
    const foreign = {
      role: "model",
      provider: started.provider,
      model: started.model,
      ...by,
      content: [
        { type: "reasoning", text: "hidden", providerOptions: { openai: { itemId: "rs_1" } } },
        { type: "text", text: "I look." },
        { type: "tool-call", toolCallId: "c1", toolName: "click", input: { x: 1, y: 2 } },
      ],
    } as const;
    const result = {
      callId: "c1",
      toolName: "click",
      isError: true,
      text: "no such place",
      picture: aPicture(9),
    };
    replied(
      await models.ask(aRequest(started, { turns: [task, foreign, { role: "results", results: [result] }] })),
    );
    expect(started.server.refusals).toEqual([]);
    const seen = started.server.requests[0]?.judged?.seen;
    expect(seen).toMatchObject({ turns: 0, pictureCount: 2 });
    expect(seen?.words).toMatch(/I look\.[\s\S]*click \{"x":1,"y":2\}[\s\S]*click: it failed: no such place/);
    expect(seen?.words).not.toContain("hidden");
  });

  it("is asked for one call at a time where its provider can be, and for strict arguments", async () => {
    const all = await start(kind, click, { call: "type", args: { text: "x", target: "the field" } });
    const reply = replied(await all.models.ask(aRequest(all.started)));
    expect(
      reply.calls.map(({ decision }) => decision.kind === "actions" && decision.actions[0]?.type),
    ).toEqual(["click", "type"]);
    const body = JSON.stringify(all.started.server.requests[0]?.body);
    const isGoogle = kind === "google" || kind === "vertex";
    expect(body).toMatch(
      isGoogle ? /"mode":"VALIDATED"/ : /"(disable_parallel_tool_use":true|parallel_tool_calls":false)/,
    );
    if (!isGoogle) expect(body).toContain('"strict":true');
    const results = reply.calls.map(({ callId, toolName }) => ({
      callId,
      toolName,
      isError: false,
      text: "",
      picture: undefined,
    }));
    replied(
      await all.models.ask(
        aRequest(all.started, { turns: [task, reply.turn, { role: "results", results }] }),
      ),
    );
    expect(all.started.server.refusals).toEqual([]);
  });

  it("may say something without a call", async () => {
    const all = await start(kind, { say: "What should I do?" });
    const reply = replied(await all.models.ask(aRequest(all.started)));
    expect(reply).toMatchObject({ calls: [], text: "What should I do?" });
    const turns: ConversationTurn[] = [
      task,
      reply.turn,
      { role: "user", parts: ["Use a tool."], pictures: [] },
    ];
    replied(await all.models.ask(aRequest(all.started, { turns })));
    expect(all.started.server.refusals).toEqual([]);
  });

  it.each<[string, Decision, RegExp]>([
    ["an unknown tool", { call: "fly", args: { x: 1 } }, /no tool "fly"/],
    ["a wrong argument", { call: "read_file", args: { path: 7, save_as: "a" } }, /path: /],
    ["broken JSON", { call: "finish", brokenArgs: '{"output": ' }, /finish|JSON|[Uu]nrecognized/],
    [
      "no JSON in a field that has JSON as text",
      { call: "finish", args: { output: "{" } },
      /output: not JSON text/,
    ],
    ["an argument that nobody asked for", { call: "fail", args: { reason: "x", more: 1 } }, /more/],
  ])("is told what is wrong with %s, and goes on", async (_, decision, words) => {
    const all = await start(kind, decision);
    const reply = replied(await all.models.ask(aRequest(all.started)));
    const [call] = reply.calls;
    expect(call?.decision).toMatchObject({ kind: "invalid", error: expect.stringMatching(words) });
    const results = reply.calls.map(({ callId, toolName }) => ({
      callId,
      toolName,
      isError: true,
      text: "wrong",
      picture: undefined,
    }));
    replied(
      await all.models.ask(
        aRequest(all.started, { turns: [task, reply.turn, { role: "results", results }] }),
      ),
    );
    expect(all.started.server.refusals).toEqual([]);
    expect(all.started.server.requests.at(-1)?.judged?.seen.results).toHaveLength(1);
  });

  it("may not have a tool that the workflow does not allow", async () => {
    const all = await start(kind, { call: "shell", args: { command: "rm -rf /", save_as: "a" } });
    const tools = { kind: "actions", types: ["click", "type", "finish"] } as const;
    const reply = replied(await all.models.ask(aRequest(all.started, { tools })));
    expect(reply.calls[0]?.decision).toMatchObject({ kind: "invalid" });
    expect(all.started.server.requests[0]?.judged?.seen.toolNames).toEqual(["click", "type", "finish"]);
  });

  it.each([
    ["refusal", "refused"],
    ["filtered", "refused"],
    ["cut_off", "cut_off"],
  ] as const)("that ends by %s is %s, and what it used is counted", async (ending, result) => {
    const all = await start(kind, click);
    all.started.server.faults.push({ kind: "ending", ending });
    expect(await all.models.ask(aRequest(all.started))).toMatchObject({
      kind: result,
      usage: { inputTokens: expect.any(Number) },
    });
  });

  it("answers a question by a value", async () => {
    const all = await start(kind, { call: "answer", args: { value: { total: 12.5 } } });
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { total: { $ref: "#/$defs/money" } },
      $defs: { money: { type: "number" } },
    };
    const reply = await all.models.ask(aRequest(all.started, { tools: { kind: "answer", schema } }));
    expect(reply).toMatchObject({ kind: "answered", value: { total: 12.5 } });
    expect(all.started.server.refusals).toEqual([]);
  });

  it.each([
    ["JSON", '```json\n{"total": 1}\n```', { kind: "answered", value: { total: 1 } }],
    ["words", "It is 12.50.", { kind: "unusable" }],
  ])("may answer by %s alone", async (_, say, expected) => {
    const all = await start(kind, { say });
    expect(
      await all.models.ask(aRequest(all.started, { tools: { kind: "answer", schema: { type: "object" } } })),
    ).toMatchObject(expected);
  });

  it.each([
    ["a refused key", "wrong_key", "key_invalid"],
    ["an unknown model", "unknown_model", "model_not_found"],
    ["a request that it does not take", "invalid", "rejected"],
    ["too many requests", "rate_limit", "unavailable"],
    ["too much to do", "overloaded", "unavailable"],
    ["an error of its own", "server_error", "unavailable"],
    ["an account without money", "no_money", "rejected"],
  ] as const)("fails for %s", async (_, error, reason) => {
    const all = await start(kind, click);
    all.started.server.faults.push({ kind: "error", error, message: `what it says of ${error}` });
    const reply = failedWith(await all.models.ask(aRequest(all.started)));
    expect(reply.reason).toBe(reason);
    expect(reply.error).toMatch(/what it says|model identifier is invalid/);
    // The request is not retried.
    expect(all.started.server.requests).toHaveLength(1);
  });

  it.each(["../../../admin/../v1/files?x=", "../../endpoints/1:undeployModel?x=", "x#", "../messages", ".."])(
    "whose name is the path %s is not called",
    async (model) => {
      const all = await start(kind, click);
      const request = aRequest(all.started);
      const reply = failedWith(await all.models.ask({ ...request, choice: { ...request.choice, model } }));
      // A format without the name in its address sends it in the body, where it is unknown.
      const meant = /\/(messages|responses|converse)$|:generateContent$/;
      expect(all.started.server.paths.filter((path) => !meant.test(path))).toEqual([]);
      expect(["rejected", "model_not_found"]).toContain(reply.reason);
    },
  );

  it("that does not exist is not found, and a wrong key is not let in", async () => {
    const all = await start(kind, click);
    const request = aRequest(all.started);
    const unknown = { ...request, choice: { ...request.choice, model: `${request.choice.model}-x` } };
    expect(failedWith(await all.models.ask(unknown)).reason).toBe("model_not_found");
    const { key } = request;
    const wrong =
      "apiKey" in key
        ? { ...key, apiKey: "sk-another" }
        : "secretAccessKey" in key
          ? { ...key, secretAccessKey: "another" }
          : { ...key, serviceAccountJson: '{"type":"authorized_user"}' };
    expect(failedWith(await all.models.ask({ ...request, key: wrong })).reason).toBe("key_invalid");
  });

  it.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["milliseconds", { "retry-after-ms": "1500", "retry-after": "7" }, 1_500],
    ["a date that is over", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
    ["nothing", {}, kind === "google" || kind === "vertex" ? 7_000 : null],
  ])("is to be asked again after %s", async (_, headers, expected) => {
    const all = await start(kind, click);
    all.started.server.faults.push({
      kind: "error",
      error: "rate_limit",
      headers: headers as Record<string, string>,
    });
    expect(failedWith(await all.models.ask(aRequest(all.started))).retryAfterMs).toBe(expected);
  });

  it.each([
    ["hang", { kind: "hang" }],
    ["break", { kind: "break" }],
    ["endless", { kind: "endless" }],
    ["garbage", { kind: "garbage" }],
    ...(formats.has(kind) ? ([["20 MB of text", { kind: "large", bytes: 20_000_000 }]] as const) : []),
    ["a status without a body", { kind: "status", status: 502 }],
    ["JSON that is no reply", { kind: "status", status: 200, body: '{"hello": "you"}' }],
    ["a redirection", { kind: "status", status: 302, headers: { location: "http://127.0.0.1:1/" } }],
  ] as const)("is unavailable: %s", async (name, fault) => {
    const all = await start(kind, click);
    replied(await all.models.ask(aRequest(all.started)));
    all.started.server.faults.push(fault);
    const timeoutMs = name === "hang" || name === "endless" ? 50 : 10_000;
    const reply = failedWith(await all.models.ask(aRequest(all.started, { timeoutMs })));
    expect(reply).toEqual({
      kind: "failed",
      reason: "unavailable",
      error: expect.any(String),
      retryAfterMs: null,
      // The provider may have done the work, unless it says that it did not.
      usage: "status" in fault && fault.status !== 200 ? null : { ...someTokens, outputTokens: 4_096 },
    });
    expect(reply.error.length).toBeLessThan(200);
  });

  it("says at most 500 characters of what its provider says, and nothing of the key", async () => {
    const all = await start(kind, click);
    const { key } = all.started;
    const secret =
      "apiKey" in key ? key.apiKey : "secretAccessKey" in key ? key.secretAccessKey : accessToken;
    all.started.server.faults.push({
      kind: "error",
      error: "server_error",
      message: `${secret} ${"long ".repeat(1_000)}`,
    });
    const reply = failedWith(await all.models.ask(aRequest(all.started)));
    expect(reply.error).toHaveLength(500);
    expect(JSON.stringify(reply)).not.toContain(secret);
    expect(JSON.stringify(reply)).not.toContain("press the button");
  });
});
