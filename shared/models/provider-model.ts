import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Tool } from "ai";
import type { ModelRequest } from "../domain/model/language-models.ts";
import type { ObservedFetch } from "./exchange.ts";

/** Where the providers are, without a trailing slash; for gateways and tests. */
export interface ProviderAddresses {
  readonly anthropic?: string | undefined;
  readonly openai?: string | undefined;
  readonly google?: string | undefined;
  /** Without the path, which has project and location in it. */
  readonly vertex?: string | undefined;
  readonly bedrock?: string | undefined;
}

export interface GoogleCloudSettings {
  /** Gives access tokens. The service account's own `token_uri` could point anywhere. */
  readonly tokenUrl?: string | undefined;
  readonly location?: string | undefined;
}

interface ConnectInput {
  readonly request: ModelRequest;
  readonly http: ObservedFetch;
  readonly addresses: ProviderAddresses;
  readonly googleCloud: GoogleCloudSettings;
  readonly signal: AbortSignal;
}

export interface ProviderModel {
  readonly model: LanguageModelV4;
  readonly options: SharedV4ProviderOptions;
  /** Put on what the provider is to cache up to; undefined where it finds out for itself. */
  readonly cacheMark: SharedV4ProviderOptions | undefined;
  /** OpenAI's strict schemas require every field: one that may be left out is null there. */
  readonly optional: "absent" | "null";
  readonly computer?: Tool | undefined;
  /** Values that may not be in any words that come back. */
  readonly secrets: readonly string[];
}

export type Connect = (input: ConnectInput) => ProviderModel | Promise<ProviderModel>;
