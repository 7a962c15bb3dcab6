import type { CoveredProvider, ProviderSlot } from "../../vocabulary/providers.ts";
import type { OrganizationId } from "../organization-id.ts";

/** The key is never logged, and never in an error. */
export type ProviderKey =
  | { readonly authType: "api_key"; readonly apiKey: string }
  | { readonly authType: "service_account_json"; readonly serviceAccountJson: string }
  | { readonly authType: "aws_bedrock_api_key"; readonly apiKey: string; readonly awsRegion: string }
  | {
      readonly authType: "aws_iam";
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly awsRegion: string;
    };

export interface FoundKey {
  readonly slot: ProviderSlot;
  readonly isPlatform: boolean;
  readonly key: ProviderKey;
  /** The timestamp identifies the key when it is reported as refused; null for the platform's key. */
  readonly activatedAt: string | null;
}

export type NoKey = "provider_key_missing" | "provider_key_invalid" | "platform_budget_reached";

export interface ProviderKeys {
  /** Returns the organization's own key, or the platform's for a slot that was never configured. */
  find(organizationId: OrganizationId, slot: ProviderSlot): Promise<FoundKey | NoKey>;
  /** Counts the tokens that a call took on the platform's key. */
  spend(
    organizationId: OrganizationId,
    found: FoundKey,
    usage: { readonly inputTokens: number; readonly outputTokens: number },
  ): Promise<void>;
  /** Marks the organization's own key `invalid` with these words, unless a newer one was set. */
  reportInvalid(
    run: { readonly organizationId: OrganizationId; readonly runId: string },
    found: FoundKey,
    error: string,
  ): Promise<void>;
}

export function slotOf(provider: CoveredProvider): ProviderSlot {
  return provider === "google_vertex" ? "google" : provider;
}
