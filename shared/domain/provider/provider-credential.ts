import type { OrganizationId } from "../access/organization-id.ts";
import type { ProviderSlot } from "./covered-providers.ts";

export type ProviderAuthType = "api_key" | "service_account_json" | "aws_bedrock_api_key" | "aws_iam";

/** `missing` after a DELETE, `invalid` after a worker found that the provider refuses the key. */
export type ProviderCredentialStatus = "active" | "invalid" | "missing";

/** What may be shown of a key. */
export interface ProviderKeyMetadata {
  readonly keyLast4: string | null;
  readonly projectId: string | null;
  readonly clientEmail: string | null;
  readonly awsRegion: string | null;
  readonly accessKeyIdLast4: string | null;
}

export const noMetadata: ProviderKeyMetadata = {
  keyLast4: null,
  projectId: null,
  clientEmail: null,
  awsRegion: null,
  accessKeyIdLast4: null,
};

/** An organization's own key of one slot; there is none for a slot that was never configured. Timestamps are ISO 8601. */
export interface ProviderCredential {
  readonly organizationId: OrganizationId;
  readonly slot: ProviderSlot;
  readonly status: ProviderCredentialStatus;
  readonly authType: ProviderAuthType | null;
  readonly metadata: ProviderKeyMetadata;
  /** Where the key lies in the secret store. */
  readonly secretName: string | null;
  readonly lastError: string | null;
  readonly activatedAt: string | null;
  readonly lastValidatedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Goes up by one with each write. */
  readonly revision: number;
}
