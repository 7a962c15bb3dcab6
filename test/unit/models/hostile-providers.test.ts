import { describe, expect, it } from "vitest";
import { AiLanguageModels, type AiLanguageModelsOptions } from "../../../shared/models/ai-language-models.ts";
import { ProviderKeyChecker } from "../../../shared/models/provider-key-checker.ts";
import { allHostile, type HostileBehaviour, startHostileServer } from "../../support/hostile-server.ts";
import { aRequest, click, failedWith, start } from "../../support/models/ask.ts";
import { accessToken, apiKey, keysByKind, secretAccessKey } from "../../support/providers/authorization.ts";
import type { ProviderKind } from "../../support/providers/start-provider.ts";

/** Replies are read up to 8 MB, and loopback keeps some more. */
const sentBytesMax = 24_000_000;

const modelPeers: Readonly<
  Record<
    string,
    readonly [ProviderKind, (url: string, good: AiLanguageModelsOptions) => AiLanguageModelsOptions]
  >
> = {
  anthropic: ["anthropic", (anthropic) => ({ baseUrls: { anthropic } })],
  openai: ["openai", (openai) => ({ baseUrls: { openai } })],
  google: ["google", (google) => ({ baseUrls: { google } })],
  vertex: ["vertex", (vertex, good) => ({ ...good, baseUrls: { vertex } })],
  "vertex's tokens": ["vertex", (url, good) => ({ ...good, googleCloud: { tokenUrl: `${url}/token` } })],
  bedrock: ["bedrock by IAM", (bedrock) => ({ baseUrls: { bedrock } })],
};

describe.each(Object.entries(modelPeers))("a model of %s", (_name, [kind, optionsOf]) => {
  it.each(allHostile)(
    "that %s is unavailable within its time, and gets nothing sent on",
    async (behaviour) => {
      const { started } = await start(kind, click);
      const peer = await startHostileServer(behaviour);
      const models = new AiLanguageModels(optionsOf(peer.url, started.options));
      const reply = failedWith(await models.ask(aRequest(started, { timeoutMs: 150 })));
      expect(reply.reason).toBe("unavailable");
      expect(reply.error.length).toBeLessThan(200);
      for (const secret of [apiKey, secretAccessKey, accessToken]) expect(reply.error).not.toContain(secret);
      expect([peer.asked(), peer.strayed()]).toEqual([1, ""]);
      expect(peer.sentBytes()).toBeLessThan(sentBytesMax);
    },
  );
});

/** The status alone says that a key is good. */
const accepting: ReadonlySet<HostileBehaviour> = new Set([
  "sends more than its length",
  "sends a gigabyte compressed",
  "sends garbage for JSON",
  "sends JSON of another shape",
  "sends JSON a hundred thousand deep",
]);

it.each(allHostile)("a provider that %s says nothing of a key but by its status", async (behaviour) => {
  const peer = await startHostileServer(behaviour);
  const checker = new ProviderKeyChecker({
    addresses: { openai: peer.url },
    googleCloud: {},
    timeoutMs: 150,
  });
  const check = await checker.check("openai", keysByKind.api);
  expect(check.kind).toBe(accepting.has(behaviour) ? "accepted" : "unknown");
  expect(JSON.stringify(check)).not.toContain(apiKey);
  expect(peer.strayed()).toBe("");
});
