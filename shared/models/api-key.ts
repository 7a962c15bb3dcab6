import type { ProviderKey } from "../domain/model/provider-key.ts";
import { ModelFailedError } from "./failure.ts";

export function apiKeyOf(key: ProviderKey): string {
  if (key.authType !== "api_key") throw new ModelFailedError("key_invalid", "not an API key");
  return printable(key.apiKey);
}

/** @throws {ModelFailedError} for text that must not become a part of the host's name. */
export function bedrockAddress(service: string, region: string): string {
  if (!/^[a-z0-9-]+$/.test(region)) throw new ModelFailedError("key_invalid", "not an AWS Region");
  return `https://${service}.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
}

/** An error about a header that cannot be sent would have the key in it. */
export function printable(secret: string): string {
  const trimmed = secret.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new ModelFailedError("key_invalid", "the key has characters that no key has");
  return trimmed;
}
