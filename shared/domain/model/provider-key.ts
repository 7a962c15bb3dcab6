import type { ProviderSlot } from "../../vocabulary/providers.ts";
import type { OrganizationId } from "../organization-id.ts";

/** A key's values, as the slot's secret has them. Never logged, never in an error. */
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

/** Whose key pays: the organization's own slot, or the platform's. */
export interface FoundKey {
  readonly slot: ProviderSlot;
  readonly isPlatform: boolean;
  readonly key: ProviderKey;
  /** When the organization's own key was set, for the report that it is refused; null for the platform's. */
  readonly activatedAt: string | null;
}

/** Why there is no key for a call. */
export type NoKey = "provider_key_missing" | "provider_key_invalid" | "platform_budget_reached";

export interface ProviderKeys {
  /**
   * The key that an organization's calls to a slot go by: its own, else, of a slot never configured, the platform's.
   *
   * @returns why there is none.
   */
  find(organizationId: OrganizationId, slot: ProviderSlot): Promise<FoundKey | NoKey>;
  /** After each call by it: counts what it took on the platform's. */
  spend(
    organizationId: OrganizationId,
    found: FoundKey,
    usage: { readonly inputTokens: number; readonly outputTokens: number },
  ): Promise<void>;
  /** The provider refuses it. Of the organization's own, unless a newer one is there: `invalid` with these words. */
  reportInvalid(
    run: { readonly organizationId: OrganizationId; readonly runId: string },
    found: FoundKey,
    error: string,
  ): Promise<void>;
}
