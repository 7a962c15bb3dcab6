import * as z from "zod";
import { providerAuthTypes, providerCredentialStatuses, providerSlots } from "../vocabulary/providers.ts";
import { refuse, Timestamp } from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { text } from "./fields/text.ts";

export const ProviderSlot = z
  .enum(providerSlots)
  .describe("A slot for an organization's own key at a provider of models.");

export const ProviderSlotPath = z.strictObject({ slot: ProviderSlot.describe("The slot of the provider.") });

/** The last four characters of such a key reveal nothing. */
const Key = text(16, 4_096);
const AwsRegion = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/, "String should be a Region of AWS, such as eu-central-1");

/** Source: https://cloud.google.com/iam/docs/keys-create-delete */
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

export const ApiKeyCredential = z
  .strictObject({
    auth_type: z.literal("api_key").describe("The constant `api_key`: the credential is an API key."),
    api_key: Key.describe("The provider's API key; it is never returned."),
  })
  .describe("An API key of Anthropic, OpenAI or Google.");
export const ServiceAccountCredential = z
  .strictObject({
    auth_type: z
      .literal("service_account_json")
      .describe("The constant `service_account_json`: the credential is a service account."),
    service_account_json: ServiceAccountJson.describe(
      "The service account's key file as text; it is never returned. The object that it holds is taken, too.",
    ).meta({
      wire: { type: "string" },
      says: ["At most 32 KB of JSON, with client_email, private_key and project_id."],
    }),
  })
  .describe("A service account of Google Cloud.");
export const BedrockApiKeyCredential = z
  .strictObject({
    auth_type: z
      .literal("aws_bedrock_api_key")
      .describe("The constant `aws_bedrock_api_key`: the credential is an API key of Amazon Bedrock."),
    api_key: Key.describe("The API key of Amazon Bedrock; it is never returned."),
    aws_region: AwsRegion.describe("The AWS Region whose models are called, such as `eu-central-1`."),
  })
  .describe("An API key of Amazon Bedrock.");
export const IamCredential = z
  .strictObject({
    auth_type: z
      .literal("aws_iam")
      .describe("The constant `aws_iam`: the credential is an access key of AWS."),
    access_key_id: z
      .string()
      .regex(/^[A-Z0-9]{16,128}$/)
      .describe("The id of the access key; only its last four characters are returned."),
    secret_access_key: Key.describe("The secret of the access key; it is never returned."),
    aws_region: AwsRegion.describe("The AWS Region whose models are called, such as `eu-central-1`."),
  })
  .describe("An access key of AWS that may call Amazon Bedrock.");

export const SetProviderCredentialBody = z
  .discriminatedUnion("auth_type", [
    ApiKeyCredential,
    ServiceAccountCredential,
    BedrockApiKeyCredential,
    IamCredential,
  ])
  .describe(
    "An organization's own credential at a provider; `auth_type` says which kind it is, and is one that the slot takes.",
  );
export type SetProviderCredentialBody = z.infer<typeof SetProviderCredentialBody>;

export const ReportInvalidBody = z
  .strictObject({
    last_error: text(1, 1_000).describe("The provider's error, from which the credential is removed."),
    activated_at: Timestamp.optional().describe(
      "The slot's `activated_at` when the credential was read; a newer credential is left alone. Default: any credential is marked.",
    ),
  })
  .describe("The error with which the provider refused a credential.");
export type ReportInvalidBody = z.infer<typeof ReportInvalidBody>;

const Text = z.string().nullable();

export const CredentialMetadata = z
  .strictObject({
    key_last4: example(Text, "a1b2").describe(
      "The last four characters of the API key; null for other kinds of credentials.",
    ),
    project_id: Text.describe("The service account's project; null for other kinds of credentials."),
    client_email: Text.describe("The service account's address; null for other kinds of credentials."),
    aws_region: Text.describe("The AWS Region of Amazon Bedrock; null for credentials of other providers."),
    access_key_id_last4: Text.describe(
      "The last four characters of the access key's id; null for other kinds of credentials.",
    ),
  })
  .describe("The parts of a credential that tell it from another without revealing it.");

export const ProviderCredential = z
  .strictObject({
    slot: ProviderSlot.describe("The slot that the state is of."),
    display_name: example(z.string(), "Anthropic").describe("The slot's name, for people."),
    source: example(z.enum(["platform", "organization"]), "organization").describe(
      "The owner of the key that is used: `organization` for a stored one, `platform` for the platform's own while none was ever stored.",
    ),
    covered_providers: example(z.array(z.string()), ["anthropic"]).describe(
      "The providers that are called with this slot's key.",
    ),
    status: example(z.enum(providerCredentialStatuses).nullable(), "active").describe(
      "The credential's state: whether it can be used; null while none was ever stored. `active` with `last_validated_at` null says only that it is stored: nobody has tried it yet.",
    ),
    auth_type: example(z.enum(providerAuthTypes).nullable(), "api_key").describe(
      "The kind of the stored credential; null while none was ever stored.",
    ),
    display_metadata: CredentialMetadata.describe("The parts of the stored credential that may be shown."),
    last_error: Text.describe(
      "The error with which the provider last refused the credential, without the credential; null while it has not.",
    ),
    activated_at: example(z.iso.datetime().nullable(), "2026-11-21T12:00:00.000Z").describe(
      "Time at which the credential was stored; null while there is none.",
    ),
    last_validated_at: z.iso
      .datetime()
      .nullable()
      .describe(
        "Time at which the provider last said whether it takes the credential; null while nobody has tried it.",
      ),
    created_at: example(z.iso.datetime().nullable(), "2026-11-21T12:00:00.000Z").describe(
      "Time at which a credential was first stored; null while none ever was.",
    ),
    updated_at: example(z.iso.datetime().nullable(), "2026-11-21T12:00:00.000Z").describe(
      "Time at which the slot was last changed; null while it never was.",
    ),
  })
  .describe("The state of a provider's slot, without its secret.");
export type ProviderCredential = z.infer<typeof ProviderCredential>;

export const CredentialCheck = z
  .strictObject({
    check: example(z.string(), "list_models").describe(
      "The call to the provider, for programs: `list_models`.",
    ),
    label: z.string().describe("The same in a sentence, for people."),
    ok: z.boolean().describe("Whether the provider took the key."),
    error: z.string().nullable().describe("The provider's words, without the key; null if it took the key."),
  })
  .describe("One call by which a credential was checked.");

export const ValidatedCredential = ProviderCredential.extend({
  ok: z.boolean().describe("Whether the provider took the key just now."),
  checks: z.array(CredentialCheck).describe("The calls by which the key was checked: one."),
  credential: ProviderCredential.describe("The slot again, for programs that look for it here."),
}).describe("The state of a provider's slot after its key was tried.");
export type ValidatedCredential = z.infer<typeof ValidatedCredential>;
