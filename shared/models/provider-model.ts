import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Tool } from "ai";
import type { ModelRequest } from "../domain/model/language-models.ts";
import type { ObservedFetch } from "./exchange.ts";

/** The providers' addresses, without a trailing slash, for gateways and tests. */
export interface ProviderAddresses {
  readonly anthropic?: string | undefined;
  readonly openai?: string | undefined;
  readonly google?: string | undefined;
  /** The address lacks the path, which has project and location in it. */
  readonly vertex?: string | undefined;
  readonly bedrock?: string | undefined;
}

export interface GoogleCloudSettings {
  /** The address of access tokens. The service account's own `token_uri` could point anywhere. */
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
  /** Marks the end of what the provider is to cache; undefined where it decides by itself. */
  readonly cacheMark: SharedV4ProviderOptions | undefined;
  /** OpenAI's strict schemas require every field, so an optional one is null there. */
  readonly optional: "absent" | "null";
  readonly computer?: Tool | undefined;
  /** Values that must not be in any words of the response. */
  readonly secrets: readonly string[];
}

export type Connect = (input: ConnectInput) => ProviderModel | Promise<ProviderModel>;
