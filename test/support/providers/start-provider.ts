import type { ProviderKey } from "../../../shared/domain/model/provider-key.ts";
import type { AiLanguageModelsOptions } from "../../../shared/models/ai-language-models.ts";
import type { CoveredProvider } from "../../../shared/vocabulary/providers.ts";
import { AnthropicFormat } from "./anthropic-format.ts";
import { accessToken, apiKey, awsRegion, isSigned, keysByKind, TokenAddress } from "./authorization.ts";
import { BedrockFormat } from "./bedrock-format.ts";
import { GoogleFormat } from "./google-format.ts";
import { OpenAiFormat } from "./openai-format.ts";
import { ProviderServer } from "./provider-server.ts";
import type { Decide, WireFormat } from "./wire-format.ts";

export const providerKinds = [
  "anthropic",
  "anthropic with computer_20251124",
  "anthropic with functions",
  "openai",
  "google",
  "vertex",
  "bedrock by key",
  "bedrock by IAM",
] as const;
export type ProviderKind = (typeof providerKinds)[number];

const bedrockModel = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
const tokens = new TokenAddress();

interface Kind {
  readonly provider: CoveredProvider;
  readonly model: string;
  readonly key: ProviderKey;
  readonly makeFormat: () => WireFormat;
  readonly addresses: (url: string) => AiLanguageModelsOptions;
}

const anthropic = (model: string): Kind => ({
  provider: "anthropic",
  model,
  key: keysByKind.api,
  makeFormat: () => new AnthropicFormat(apiKey),
  addresses: (url) => ({ baseUrls: { anthropic: url } }),
});
const bedrock = (key: ProviderKey, makeFormat: () => WireFormat): Kind => ({
  provider: "aws_bedrock",
  model: bedrockModel,
  key,
  makeFormat,
  addresses: (url) => ({ baseUrls: { bedrock: url } }),
});

const kinds: Readonly<Record<ProviderKind, Kind>> = {
  anthropic: anthropic("claude-opus-5"),
  "anthropic with computer_20251124": anthropic("claude-opus-4-6"),
  "anthropic with functions": anthropic("claude-unheard-of"),
  openai: {
    provider: "openai",
    model: "gpt-5.4",
    key: keysByKind.api,
    makeFormat: () => new OpenAiFormat(apiKey),
    addresses: (url) => ({ baseUrls: { openai: url } }),
  },
  google: {
    provider: "google",
    model: "gemini-3-pro-preview",
    key: keysByKind.api,
    makeFormat: () =>
      new GoogleFormat({ root: "", isAuthorized: ({ headers }) => headers["x-goog-api-key"] === apiKey }),
    addresses: (url) => ({ baseUrls: { google: url } }),
  },
  vertex: {
    provider: "google",
    model: "gemini-2.5-pro",
    key: keysByKind.serviceAccount,
    makeFormat: () =>
      new GoogleFormat({
        root: "/v1beta1/projects/a-project/locations/global/publishers/google",
        isAuthorized: ({ headers }) =>
          headers.authorization === `Bearer ${accessToken}` && headers["x-goog-api-key"] === undefined,
        aside: tokens.reply,
      }),
    addresses: (url) => ({ baseUrls: { vertex: url }, googleCloud: { tokenUrl: `${url}/token` } }),
  },
  "bedrock by key": bedrock(
    keysByKind.bedrock,
    () => new BedrockFormat(({ headers }) => headers.authorization === `Bearer ${apiKey}`),
  ),
  "bedrock by IAM": bedrock(
    keysByKind.iam,
    () => new BedrockFormat((request) => isSigned(request, awsRegion)),
  ),
};

export interface StartedProvider {
  readonly server: ProviderServer;
  readonly provider: CoveredProvider;
  readonly model: string;
  readonly key: ProviderKey;
  readonly options: AiLanguageModelsOptions;
  readonly tokens: TokenAddress;
}

/** Starts a stand-in on loopback, with the settings that reach it. The caller must stop its server. */
export async function startProvider(
  kind: ProviderKind,
  decide: Decide,
  port?: number,
): Promise<StartedProvider> {
  const { makeFormat, addresses, ...rest } = kinds[kind];
  const server = await ProviderServer.start({ format: makeFormat(), decide, models: [rest.model], port });
  return {
    ...rest,
    server,
    options: addresses(server.url),
    tokens,
  };
}
