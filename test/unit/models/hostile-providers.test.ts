import { describe, expect, it } from "vitest";
import { AiLanguageModels, type AiLanguageModelsOptions } from "../../../shared/models/ai-language-models.ts";
import { ProviderKeyChecker } from "../../../shared/models/provider-key-checker.ts";
import { allHostile, type HostileBehaviour, startHostileServer } from "../../support/hostile-server.ts";
import { aRequest, click, failedWith, start } from "../../support/models/ask.ts";
import { accessToken, apiKey, keysByKind, secretAccessKey } from "../../support/providers/authorization.ts";
import type { ProviderKind } from "../../support/providers/start-provider.ts";

/** A busy machine may need more until a request is sent at all: then another peer is asked, with twice the time. */
const [timeoutMsMin, timeoutMsMax] = [600, 9_600];

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
  // A token is kept by its URL: a good peer may have had this one's port before.
  "vertex's tokens": [
    "vertex",
    (url, good) => ({ ...good, googleCloud: { tokenUrl: `${url}/hostile-token` } }),
  ],
  bedrock: ["bedrock by IAM", (bedrock) => ({ baseUrls: { bedrock } })],
};

describe.each(Object.entries(modelPeers))("a model of %s", (_name, [kind, optionsOf]) => {
  it.each(allHostile)(
    "that %s is unavailable within its time, and gets nothing sent on",
    async (behaviour) => {
      const { started } = await start(kind, click);
      const asked = async (timeoutMs: number) => {
        const peer = await startHostileServer(behaviour);
        const models = new AiLanguageModels(optionsOf(peer.url, started.options));
        return { peer, reply: failedWith(await models.ask(aRequest(started, { timeoutMs }))) };
      };
      let { peer, reply } = await asked(timeoutMsMin);
      for (
        let timeoutMs = 2 * timeoutMsMin;
        peer.asked() === 0 && timeoutMs <= timeoutMsMax;
        timeoutMs *= 2
      ) {
        ({ peer, reply } = await asked(timeoutMs));
      }
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

describe("a reply of the right shape", () => {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const callsOf = (count: number, input: string) => {
    const call = `{"type":"tool_use","id":"t","name":"finish","input":${input}}`;
    return Array.from({ length: count }, () => call).join();
  };
  const ask = async (calls: string, used: string) => {
    const body = `{"id":"m","type":"message","role":"assistant","model":"x","content":[${calls}],"stop_reason":"tool_use","stop_sequence":null,"usage":${used}}`;
    const { started } = await start("anthropic with functions", click);
    const peer = await startHostileServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${body}`),
    );
    const models = new AiLanguageModels({ baseUrls: { anthropic: peer.url } });
    return await models.ask(aRequest(started));
  };

  it.each([
    ["fewer than none", { ...usage, input_tokens: -1_000_000 }],
    ["more than a number of the table", { ...usage, output_tokens: 1e300 }],
    ["parts of one", { ...usage, input_tokens: 0.5 }],
  ])("has its tokens estimated where it says that it took %s", async (_, used) => {
    const reply = await ask(callsOf(1, '{"output":"1"}'), JSON.stringify(used));
    expect(reply).toMatchObject({ kind: "replied", usage: { outputTokens: 4_096, cachedTokens: 0 } });
    expect(reply.usage?.inputTokens).toBeGreaterThan(1_000);
  });

  it.each([
    ["five thousand levels", callsOf(1, `{"output":${"[".repeat(5_000)}${"]".repeat(5_000)}}`)],
    ["as many in a text of JSON", callsOf(1, `{"output":"${"[".repeat(5_000)}${"]".repeat(5_000)}"}`)],
    ["fifty thousand calls", callsOf(50_000, "{}")],
  ])("is unavailable with %s", async (_, calls) => {
    const reply = failedWith(await ask(calls, JSON.stringify(usage)));
    expect(reply).toMatchObject({ reason: "unavailable", usage: { outputTokens: 4_096 } });
  });
});
