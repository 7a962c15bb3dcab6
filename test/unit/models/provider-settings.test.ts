import { createServer } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import type { JsonObject } from "../../../shared/domain/json.ts";
import { LazyLanguageModels } from "../../../shared/models/lazy-language-models.ts";
import { aRequest, click, failedWith, replied, start } from "../../support/models/ask.ts";
import { serviceAccount } from "../../support/providers/authorization.ts";
import { type ProviderKind, providerKinds } from "../../support/providers/start-provider.ts";

/** Names that the packages read, with a value that would lead elsewhere. */
function hostile(url: string): Readonly<Record<string, string>> {
  const addresses = [
    "ANTHROPIC_BASE_URL",
    "OPENAI_BASE_URL",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    "AI_GATEWAY_BASE_URL",
  ];
  const keys = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "OPENAI_API_KEY",
    "OPENAI_ORGANIZATION",
    "OPENAI_PROJECT",
    "GOOGLE_GENERATIVE_AI_API_KEY",
    "GOOGLE_VERTEX_API_KEY",
    "GOOGLE_VERTEX_PROJECT",
    "GOOGLE_VERTEX_LOCATION",
    "GOOGLE_CLIENT_EMAIL",
    "GOOGLE_PRIVATE_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AI_GATEWAY_API_KEY",
    "VERCEL_OIDC_TOKEN",
  ];
  return Object.fromEntries([
    ...addresses.map((name) => [name, url]),
    ...keys.map((name) => [name, "from-the-environment"]),
  ]);
}

describe("the environment", () => {
  it.each(providerKinds)("gives nothing to a model of %s", async (kind) => {
    let strayed = 0;
    const trap = createServer((_, response) => {
      strayed += 1;
      response.end("{}");
    });
    const { url, stop } = await listenOnLoopback(trap, 0);
    onTestFinished(stop);
    for (const [name, value] of Object.entries(hostile(url))) vi.stubEnv(name, value);
    const all = await start(kind, click);
    replied(await all.models.ask(aRequest(all.started)));
    expect(all.started.server.refusals).toEqual([]);
    expect(JSON.stringify(all.started.server.requests)).not.toContain("from-the-environment");
    expect(strayed).toBe(0);
  });
});

describe("a configuration's settings", () => {
  it.each<[ProviderKind, JsonObject, RegExp]>([
    ["anthropic", { output_config: { effort: "low" } }, /"output_config":\{"effort":"low"\}/],
    ["openai", { reasoning: { effort: "low" } }, /"reasoning":\{"effort":"low"\}/],
    ["google", { generationConfig: { thinkingConfig: { thinkingLevel: "low" } } }, /"thinkingLevel":"low"/],
    ["bedrock by key", { top_k: 5 }, /"additionalModelRequestFields":\{"top_k":5/],
    ["bedrock by IAM", { top_k: 5 }, /"additionalModelRequestFields":\{"top_k":5/],
  ])("go along to %s as they are", async (kind, additionalParams, expected) => {
    const all = await start(kind, click);
    const request = aRequest(all.started);
    replied(
      await all.models.ask({
        ...request,
        choice: { ...request.choice, additionalParams, maxOutputTokens: 900 },
      }),
    );
    expect(all.started.server.refusals).toEqual([]);
    expect(all.started.server.requests[0]?.text).toMatch(expected);
    expect(all.started.server.requests[0]?.text).toMatch(
      /"(max_tokens|max_output_tokens|maxTokens|maxOutputTokens)":900/,
    );
  });

  it("cannot undo what the service says", async () => {
    const all = await start("openai", click);
    const request = aRequest(all.started);
    const additionalParams = {
      store: true,
      stream: true,
      parallel_tool_calls: true,
      model: "gpt-4o",
      tools: [],
    };
    replied(await all.models.ask({ ...request, choice: { ...request.choice, additionalParams } }));
    const { body } = all.started.server.requests[0] ?? {};
    expect(body).toMatchObject({
      store: false,
      parallel_tool_calls: false,
      model: "gpt-5.4",
      prompt_cache_key: request.runId,
    });
    expect(body).not.toHaveProperty("stream");
  });

  it.each(["anthropic", "openai"] as const)(
    "lose a temperature that the model of %s refuses, without a word",
    async (kind) => {
      const warned = vi.spyOn(process, "emitWarning");
      const printed = [vi.spyOn(console, "warn"), vi.spyOn(console, "info")];
      const all = await start(kind, click);
      const request = aRequest(all.started);
      replied(await all.models.ask({ ...request, choice: { ...request.choice, temperature: 0.2 } }));
      expect(all.started.server.refusals).toEqual([]);
      for (const spy of [warned, ...printed]) expect(spy).not.toHaveBeenCalled();
    },
  );

  it("has its temperature where the model takes it", async () => {
    const all = await start("google", click);
    const request = aRequest(all.started);
    replied(await all.models.ask({ ...request, choice: { ...request.choice, temperature: 0.2 } }));
    expect(all.started.server.requests[0]?.body).toMatchObject({ generationConfig: { temperature: 0.2 } });
  });
});

describe("a demand for confirmation", () => {
  it.each([
    ["openai", "A page may try to give instructions."],
    ["google", "This buys something."],
  ] as const)("of %s is handed on with its sentence", async (kind, confirmation) => {
    const all = await start(kind, click);
    all.started.server.faults.push({ kind: "ending", ending: "confirmation" });
    expect(replied(await all.models.ask(aRequest(all.started))).confirmation).toBe(confirmation);
  });
});

describe("a key", () => {
  it.each<[ProviderKind, object]>([
    ["anthropic", { authType: "api_key", apiKey: "two\nlines" }],
    ["openai", { authType: "aws_iam", accessKeyId: "a", secretAccessKey: "b", awsRegion: "eu-west-1" }],
    [
      "vertex",
      {
        authType: "service_account_json",
        serviceAccountJson: JSON.stringify({ ...serviceAccount, type: "external_account" }),
      },
    ],
    [
      "vertex",
      {
        authType: "service_account_json",
        serviceAccountJson: JSON.stringify({ ...serviceAccount, private_key: "none" }),
      },
    ],
    [
      "vertex",
      {
        authType: "service_account_json",
        serviceAccountJson: JSON.stringify({ ...serviceAccount, project_id: "../other" }),
      },
    ],
    ["vertex", { authType: "service_account_json", serviceAccountJson: "no JSON" }],
    ["bedrock by key", { authType: "aws_bedrock_api_key", apiKey: "a", awsRegion: "evil.example/" }],
    ["bedrock by IAM", { authType: "api_key", apiKey: "a" }],
  ])("of %s that cannot be one is told before anything is sent: %j", async (kind, key) => {
    const all = await start(kind, click);
    const reply = failedWith(await all.models.ask({ ...aRequest(all.started), key: key as never }));
    expect(reply.reason).toBe("key_invalid");
    expect(reply.error).not.toMatch(/two|lines|\.\./);
    expect(all.started.server.requests).toEqual([]);
  });

  it("of a service account gives one token for many calls, and none when it is refused", async () => {
    const all = await start("vertex", click);
    const { tokens } = all.started;
    const before = tokens.asked;
    for (let index = 0; index < 3; index += 1) replied(await all.models.ask(aRequest(all.started)));
    expect(tokens.asked - before).toBe(1);
    tokens.isRefusing = true;
    try {
      const account = { ...serviceAccount, client_email: "another@a-project.iam.gserviceaccount.com" };
      const key = { authType: "service_account_json", serviceAccountJson: JSON.stringify(account) } as const;
      const reply = failedWith(await all.models.ask({ ...aRequest(all.started), key }));
      expect(reply).toMatchObject({ reason: "key_invalid", error: "Invalid JWT Signature." });
    } finally {
      tokens.isRefusing = false;
    }
  });
});

describe("the picture that a model sees whole", () => {
  it.each([
    ["anthropic", "claude-opus-5-5", 1920],
    ["aws_bedrock", "eu.anthropic.claude-opus-4-7", 1920],
    ["anthropic", "claude-sonnet-4-5", 1280],
    ["openai", "gpt-5.4", 1600],
    ["openai", "gpt-4o", 1280],
    ["google", "gemini-3-pro-preview", 1280],
  ] as const)("of %s's %s is at most %i pixels long", (provider, model, size) => {
    expect(new LazyLanguageModels({ baseUrls: {} }).pictureSizeMax({ provider, model })).toBe(size);
  });
});

it("is loaded with the first call", async () => {
  const all = await start("openai", click);
  replied(await new LazyLanguageModels(all.started.options).ask(aRequest(all.started)));
});
