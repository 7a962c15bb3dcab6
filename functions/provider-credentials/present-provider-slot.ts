import type { ProviderCredential, ValidatedCredential } from "../../shared/contract/provider-credential.ts";
import { noMetadata } from "../../shared/domain/provider/provider-credential.ts";
import type { ProviderSlotState } from "../../shared/domain/provider/read-provider-credentials.ts";
import { coveredProviders, type ProviderSlot } from "../../shared/vocabulary/providers.ts";

const displayNames: Readonly<Record<ProviderSlot, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google",
  aws_bedrock: "AWS Bedrock",
};

export function presentProviderSlot({ slot, credential }: ProviderSlotState): ProviderCredential {
  const metadata = credential?.metadata ?? noMetadata;
  return {
    slot,
    display_name: displayNames[slot],
    source: credential ? "organization" : "platform",
    covered_providers: [...coveredProviders[slot]],
    status: credential?.status ?? null,
    auth_type: credential?.authType ?? null,
    display_metadata: {
      key_last4: metadata.keyLast4,
      project_id: metadata.projectId,
      client_email: metadata.clientEmail,
      aws_region: metadata.awsRegion,
      access_key_id_last4: metadata.accessKeyIdLast4,
    },
    last_error: credential?.lastError ?? null,
    activated_at: credential?.activatedAt ?? null,
    last_validated_at: credential?.lastValidatedAt ?? null,
    created_at: credential?.createdAt ?? null,
    updated_at: credential?.updatedAt ?? null,
  };
}

/** An error is left where the provider refused the key, and where it said nothing about it. */
export function presentValidated(state: ProviderSlotState): ValidatedCredential {
  const credential = presentProviderSlot(state);
  const ok = credential.last_error === null;
  const check = { check: "list_models", label: "The provider lists its models to the key", ok };
  return { ...credential, ok, checks: [{ ...check, error: credential.last_error }], credential };
}
