import { signGet } from "../aws/sign-request.ts";
import type { ProviderKey } from "../domain/model/provider-key.ts";
import type { KeyCheck, KeyChecker } from "../domain/provider/validate-provider-credential.ts";
import type { ProviderSlot } from "../vocabulary/providers.ts";
import { apiKeyOf, bedrockAddress, printable } from "./api-key.ts";
import { ObservedFetch } from "./exchange.ts";
import { failureOf, ModelFailedError } from "./failure.ts";
import { readServiceAccount, requestAccessToken } from "./google-access-token.ts";
import type { GoogleCloudSettings, ProviderAddresses } from "./provider-model.ts";

export interface ProviderKeyCheckerOptions {
  readonly addresses: ProviderAddresses;
  readonly googleCloud: Pick<GoogleCloudSettings, "tokenUrl">;
  readonly timeoutMs?: number;
}

/** The secrets must not be in any words of the response. */
interface Question {
  readonly url: string;
  readonly headers: ConstructorParameters<typeof Headers>[0];
  readonly secrets: readonly string[];
}

/** The key is known but may not list models, so it is unknown whether it may use one. */
const permissionWords = /not authorized to perform|insufficient permissions/i;

/** Requests a page of the provider's models, which costs nothing. */
export class ProviderKeyChecker implements KeyChecker {
  readonly #options: ProviderKeyCheckerOptions;

  constructor(options: ProviderKeyCheckerOptions) {
    this.#options = options;
  }

  async check(slot: ProviderSlot, key: ProviderKey): Promise<KeyCheck> {
    const http = new ObservedFetch();
    const signal = AbortSignal.timeout(this.#options.timeoutMs ?? 10_000);
    let secrets: readonly string[] = [];
    try {
      const question = await this.#question(slot, key, { http, signal });
      ({ secrets } = question);
      const { url, headers } = question;
      const { ok } = await http.fetch(url, { headers, signal });
      if (ok) return { kind: "accepted" };
    } catch (error) {
      // Anything else is an error of the connection, whose words may contain the request.
      if (error instanceof ModelFailedError) return checkOf(error.failure);
    }
    return checkOf(failureOf(http.seen, secrets));
  }

  async #question(
    slot: ProviderSlot,
    key: ProviderKey,
    by: { readonly http: ObservedFetch; readonly signal: AbortSignal },
  ): Promise<Question> {
    const { anthropic = "https://api.anthropic.com/v1", openai = "https://api.openai.com/v1" } =
      this.#options.addresses;
    switch (slot) {
      case "anthropic": {
        const apiKey = apiKeyOf(key);
        const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
        return { url: `${anthropic}/models?limit=1`, headers, secrets: [apiKey] };
      }
      case "openai": {
        const apiKey = apiKeyOf(key);
        return { url: `${openai}/models`, headers: bearer(apiKey), secrets: [apiKey] };
      }
      case "google":
        return await this.#google(key, by);
      case "aws_bedrock":
        return await this.#bedrock(key);
    }
  }

  async #google(
    key: ProviderKey,
    by: { readonly http: ObservedFetch; readonly signal: AbortSignal },
  ): Promise<Question> {
    const { addresses, googleCloud } = this.#options;
    if (key.authType === "api_key") {
      const apiKey = apiKeyOf(key);
      const base = addresses.google ?? "https://generativelanguage.googleapis.com/v1beta";
      return {
        url: `${base}/models?pageSize=1`,
        headers: { "x-goog-api-key": apiKey },
        secrets: [apiKey],
      };
    }
    const account = readServiceAccount(key);
    // A kept token would be valid for a key that has been deleted since.
    const token = await requestAccessToken({ account, tokenUrl: googleCloud.tokenUrl, ...by, isKept: false });
    const base = addresses.vertex ?? "https://aiplatform.googleapis.com";
    const headers = { ...bearer(token), "x-goog-user-project": account.project_id };
    return {
      url: `${base}/v1beta1/publishers/google/models?pageSize=1`,
      headers,
      secrets: [token, account.private_key],
    };
  }

  /** Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListFoundationModels.html */
  async #bedrock(key: ProviderKey): Promise<Question> {
    if (key.authType !== "aws_bedrock_api_key" && key.authType !== "aws_iam")
      throw new ModelFailedError("key_invalid", "not a key of Amazon Bedrock");
    const { awsRegion: region } = key;
    const address = bedrockAddress("bedrock", region);
    const url = `${this.#options.addresses.bedrock ?? address}/foundation-models`;
    if (key.authType === "aws_bedrock_api_key") {
      const apiKey = printable(key.apiKey);
      return { url, headers: bearer(apiKey), secrets: [apiKey] };
    }
    const [accessKeyId, secretAccessKey] = [printable(key.accessKeyId), printable(key.secretAccessKey)];
    const credentials = { accessKeyId, secretAccessKey };
    const headers = await signGet({ url, region, service: "bedrock", credentials });
    return { url, headers, secrets: [secretAccessKey] };
  }
}

function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

function checkOf({ reason, error }: { readonly reason: string; readonly error: string }): KeyCheck {
  const isRefused = reason === "key_invalid" && !permissionWords.test(error);
  return { kind: isRefused ? "refused" : "unknown", error };
}
