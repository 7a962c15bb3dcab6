import type { ProviderAuthType, ProviderCredentialStatus, ProviderSlot } from "../../vocabulary/providers.ts";
import type { OrganizationId } from "../organization-id.ts";

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

export interface ProviderCredential {
  readonly organizationId: OrganizationId;
  readonly slot: ProviderSlot;
  readonly status: ProviderCredentialStatus;
  readonly authType: ProviderAuthType | null;
  readonly metadata: ProviderKeyMetadata;
  readonly secretName: string | null;
  readonly lastError: string | null;
  readonly activatedAt: string | null;
  readonly lastValidatedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revision: number;
}
