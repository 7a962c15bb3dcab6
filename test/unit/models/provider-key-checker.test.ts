import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import type { ProviderKey } from "../../../shared/domain/model/provider-key.ts";
import { ProviderKeyChecker } from "../../../shared/models/provider-key-checker.ts";
import type { ProviderSlot } from "../../../shared/vocabulary/providers.ts";
import {
  accessToken,
  apiKey,
  awsRegion,
  isSigned,
  keysByKind,
  secretAccessKey,
  serviceAccount,
  TokenAddress,
} from "../../support/providers/authorization.ts";

interface Kind {
  readonly slot: ProviderSlot;
  readonly key: ProviderKey;
  readonly path: string;
  readonly isAuthorized: (request: IncomingMessage) => boolean | Promise<boolean>;
}

const kinds: Readonly<Record<string, Kind>> = {
  anthropic: {
    slot: "anthropic",
    key: keysByKind.api,
    path: "/models?limit=1",
    isAuthorized: ({ headers }) =>
      headers["x-api-key"] === apiKey && headers["anthropic-version"] === "2023-06-01",
  },
  openai: {
    slot: "openai",
    key: keysByKind.api,
    path: "/models",
    isAuthorized: ({ headers }) => headers.authorization === `Bearer ${apiKey}`,
  },
  google: {
    slot: "google",
    key: keysByKind.api,
    path: "/models?pageSize=1",
    isAuthorized: ({ headers }) => headers["x-goog-api-key"] === apiKey,
  },
  "google by service account": {
    slot: "google",
    key: keysByKind.serviceAccount,
    path: "/v1beta1/publishers/google/models?pageSize=1",
    isAuthorized: ({ headers }) =>
      headers.authorization === `Bearer ${accessToken}` && headers["x-goog-user-project"] === "a-project",
  },
  "bedrock by key": {
    slot: "aws_bedrock",
    key: keysByKind.bedrock,
    path: "/foundation-models",
    isAuthorized: ({ headers }) => headers.authorization === `Bearer ${apiKey}`,
  },
  "bedrock by IAM": {
    slot: "aws_bedrock",
    path: "/foundation-models",
    key: keysByKind.iam,
    isAuthorized: ({ headers, url: path = "" }) => isSigned({ path, headers, text: "" }, awsRegion, "GET"),
  },
};

async function start(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
  timeoutMs?: number,
) {
  const tokens = new TokenAddress();
  const server = createServer(async (request, response) => {
    const token = tokens.reply(request.url ?? "", await text(request));
    if (token === undefined) return await answer(request, response);
    response.writeHead(token.status).end(JSON.stringify(token.body));
  });
  const { url, stop } = await listenOnLoopback(server, 0);
  onTestFinished(stop);
  const checker = new ProviderKeyChecker({
    addresses: { anthropic: url, openai: url, google: url, vertex: url, bedrock: url },
    googleCloud: { tokenUrl: `${url}/token` },
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return { checker, tokens };
}

const replying = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

describe.each(Object.entries(kinds))("a key of %s", (_name, { slot, key, path, isAuthorized }) => {
  it("is accepted by one who lists models for it", async () => {
    const { checker } = await start(async (request, response) => {
      const isRight = request.method === "GET" && request.url === path && (await isAuthorized(request));
      replying(isRight ? 200 : 401, { data: [] })(request, response);
    });
    expect(await checker.check(slot, key)).toEqual({ kind: "accepted" });
  });

  it("is refused with the provider's words, without the key", async () => {
    const said = [apiKey, secretAccessKey, accessToken, serviceAccount.private_key].join(" or ");
    const { checker } = await start(replying(401, { error: { message: `Bad: ${said}.` }, message: said }));
    const check = await checker.check(slot, key);
    expect(check).toMatchObject({ kind: "refused", error: expect.stringContaining("…") });
    for (const secret of Object.values({ ...key, awsRegion: said })) {
      expect(JSON.stringify(check)).not.toContain(secret);
    }
  });

  it.each([
    ["is away", replying(503, { error: { message: "overloaded" } })],
    ["has no such list", replying(404, {})],
    ["sends it elsewhere", replying(302, {})],
    ["hangs up", (request: IncomingMessage) => request.socket.destroy()],
  ])("stays open where the provider %s", async (_what, answer) => {
    const { checker } = await start(answer);
    expect(await checker.check(slot, key)).toMatchObject({ kind: "unknown" });
  });

  it("stays open where it may not list models, which is another permission", async () => {
    const message = "User: arn:aws:iam::1:user/a is not authorized to perform: bedrock:ListFoundationModels";
    const { checker } = await start(replying(403, { message, error: { message } }));
    expect(await checker.check(slot, key)).toMatchObject({ kind: "unknown", error: message });
  });
});

describe("a provider that never answers", () => {
  it("is given up on", async () => {
    const { checker } = await start(() => {}, 50);
    const check = await checker.check("openai", keysByKind.api);
    expect(check).toEqual({ kind: "unknown", error: "the provider cannot be reached" });
  });

  it("is one as well whose answer has no end", async () => {
    const { checker } = await start((_, response) => void response.writeHead(200).write("["), 200);
    expect(await checker.check("openai", keysByKind.api)).toMatchObject({ kind: "unknown" });
  });
});

describe("a service account's key", () => {
  it("is asked for anew, though a token of it is still good", async () => {
    const { slot, key } = kinds["google by service account"] ?? {};
    if (slot === undefined || key === undefined) throw new Error("there is no such kind");
    const { checker, tokens } = await start(replying(200, {}));
    expect(await checker.check(slot, key)).toEqual({ kind: "accepted" });
    tokens.isRefusing = true;
    expect(await checker.check(slot, key)).toEqual({ kind: "refused", error: "Invalid JWT Signature." });
  });
});

describe("a key that cannot be sent", () => {
  it.each<[ProviderSlot, ProviderKey]>([
    ["openai", { authType: "api_key", apiKey: "a key\nof two lines" }],
    ["anthropic", keysByKind.bedrock],
    ["aws_bedrock", keysByKind.api],
    ["aws_bedrock", { authType: "aws_bedrock_api_key", apiKey, awsRegion: "evil.test/" }],
    ["google", { authType: "service_account_json", serviceAccountJson: "{}" }],
  ])("is refused before anything is: %s", async (slot, key) => {
    let asked = 0;
    const { checker } = await start(() => {
      asked += 1;
    });
    expect(await checker.check(slot, key)).toMatchObject({ kind: "refused" });
    expect(asked).toBe(0);
  });
});
