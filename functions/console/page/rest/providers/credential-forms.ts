import type { ProviderAuthType } from "../../../../../shared/vocabulary/providers.ts";
import type { FormSchema } from "../../parts/form/schema-fields.ts";

const region = { type: "string", title: "AWS Region", description: "Such as eu-central-1." } as const;
const apiKey = { type: "string", title: "API key" } as const;

export interface CredentialForm {
  readonly title: string;
  readonly schema: FormSchema;
}

export const credentialForms: Readonly<Record<ProviderAuthType, CredentialForm>> = {
  api_key: { title: "API key", schema: { required: ["api_key"], properties: { api_key: apiKey } } },
  service_account_json: {
    title: "Service account",
    schema: {
      required: ["service_account_json"],
      properties: {
        service_account_json: { type: "string", title: "Key file of the service account", maxLength: 32_768 },
      },
    },
  },
  aws_bedrock_api_key: {
    title: "Bedrock API key",
    schema: { required: ["api_key", "aws_region"], properties: { api_key: apiKey, aws_region: region } },
  },
  aws_iam: {
    title: "Access key of AWS",
    schema: {
      required: ["access_key_id", "secret_access_key", "aws_region"],
      properties: {
        access_key_id: { type: "string", title: "Access key id" },
        secret_access_key: { type: "string", title: "Secret access key" },
        aws_region: region,
      },
    },
  },
};
