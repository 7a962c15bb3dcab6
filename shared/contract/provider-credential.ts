import * as z from "zod";
import { providerAuthTypes, providerCredentialStatuses, providerSlots } from "../vocabulary/providers.ts";
import { refuse, Timestamp } from "./fields/common.ts";
import { text } from "./fields/text.ts";

export const ProviderSlot = z.enum(providerSlots);

export const ProviderSlotPath = z.strictObject({ slot: ProviderSlot });

/** Long enough that its last four characters reveal nothing. */
const Key = text(16, 4_096);
const AwsRegion = z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/);

/**
 * A service account's key file, as text or as the object that it holds; at most 32 KB.
 *
 * Source: https://cloud.google.com/iam/docs/keys-create-delete
 */
const ServiceAccountJson = z
  .union([text(0, 32_768), z.record(z.string(), z.unknown())])
  .transform((given, context) => {
    const parsed = ServiceAccount.safeParse(typeof given === "string" ? parseJson(given) : given);
    const text = typeof given === "string" ? given : JSON.stringify(given);
    if (parsed.success && new TextEncoder().encode(text).length <= 32_768) return { text, ...parsed.data };
    const error =
      "a service account's key file of at most 32 KB, with client_email, private_key and project_id";
    refuse(context, {
      type: "value_error",
      message: `Value error, Input should be ${error}`,
      ctx: { error },
    });
    return z.NEVER;
  });

const ServiceAccount = z.object({
  client_email: text(3, 320),
  private_key: z.string().min(1),
  project_id: text(1, 255),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const ApiKeyCredential = z.strictObject({ auth_type: z.literal("api_key"), api_key: Key });
export const ServiceAccountCredential = z.strictObject({
  auth_type: z.literal("service_account_json"),
  service_account_json: ServiceAccountJson,
});
export const BedrockApiKeyCredential = z.strictObject({
  auth_type: z.literal("aws_bedrock_api_key"),
  api_key: Key,
  aws_region: AwsRegion,
});
export const IamCredential = z.strictObject({
  auth_type: z.literal("aws_iam"),
  access_key_id: z.string().regex(/^[A-Z0-9]{16,128}$/),
  secret_access_key: Key,
  aws_region: AwsRegion,
});

export const SetProviderCredentialBody = z.discriminatedUnion("auth_type", [
  ApiKeyCredential,
  ServiceAccountCredential,
  BedrockApiKeyCredential,
  IamCredential,
]);
export type SetProviderCredentialBody = z.infer<typeof SetProviderCredentialBody>;

export const ReportInvalidBody = z.strictObject({
  /** The provider's error, without the key, should it contain it. */
  last_error: text(1, 1_000),
  /** The slot's, from when the key was read: a newer key is left alone. */
  activated_at: Timestamp.optional(),
});
export type ReportInvalidBody = z.infer<typeof ReportInvalidBody>;

const Text = z.string().nullable();

/** What tells a credential from another without revealing it. */
export const CredentialMetadata = z.strictObject({
  key_last4: Text,
  project_id: Text,
  client_email: Text,
  aws_region: Text,
  access_key_id_last4: Text,
});

/** The state of one slot, without its secret. */
export const ProviderCredential = z.strictObject({
  slot: ProviderSlot,
  display_name: z.string(),
  /** `platform`: never configured, the platform's own keys are used. */
  source: z.enum(["platform", "organization"]),
  covered_providers: z.array(z.string()),
  status: z.enum(providerCredentialStatuses).nullable(),
  auth_type: z.enum(providerAuthTypes).nullable(),
  display_metadata: CredentialMetadata,
  last_error: Text,
  activated_at: z.iso.datetime().nullable(),
  last_validated_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime().nullable(),
  updated_at: z.iso.datetime().nullable(),
});
export type ProviderCredential = z.infer<typeof ProviderCredential>;
