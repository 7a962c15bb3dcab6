import * as z from "zod";
import {
  ProviderCredential,
  ProviderSlotPath,
  ReportInvalidBody,
  SetProviderCredentialBody,
  ValidatedCredential,
} from "../provider-credential.ts";
import { defineOperations, reading, writing } from "./operation.ts";

const pathParameters = ProviderSlotPath;

const providerCredentials = z.array(ProviderCredential);

export const providerCredentialOperations = defineOperations("Provider credentials", [
  {
    ...reading,
    id: "listProviderCredentials",
    path: "/v1/provider-credentials",
    summary: "Lists the slots for AI model providers' keys",
    description: "Always the four of them. `source` platform means that a slot was never configured.",
    responses: { 200: { description: "The slots.", schema: providerCredentials } },
  },
  {
    ...reading,
    id: "getProviderCredential",
    path: "/v1/provider-credentials/{slot}",
    summary: "Reads the state of one slot",
    pathParameters,
    responses: { 200: { description: "The slot, without its key.", schema: ProviderCredential } },
  },
  {
    ...writing("PUT"),
    id: "setProviderCredential",
    writes: "provider_credential",
    path: "/v1/provider-credentials/{slot}",
    summary: "Puts an organization's own key into a slot",
    description:
      "The key goes to a secret store and is never returned; `display_metadata` shows what is harmless. The slot is `active` from then on, with `last_validated_at` null while nobody has tried the key: `POST /v1/provider-credentials/{slot}/validate` asks the provider. anthropic and openai take the `auth_type` `api_key`, google also `service_account_json`, aws_bedrock `aws_bedrock_api_key` or `aws_iam`; any other is 422.",
    pathParameters,
    body: SetProviderCredentialBody,
    example: { auth_type: "api_key", api_key: "<API_KEY_OF_THE_PROVIDER>" },
    responses: { 200: { description: "The slot, without its key.", schema: ProviderCredential } },
  },
  {
    ...writing("DELETE"),
    id: "deleteProviderCredential",
    writes: "provider_credential",
    path: "/v1/provider-credentials/{slot}",
    summary: "Deletes the key in a slot",
    description:
      "The slot stays the organization's, with status `missing`: runs that need the provider fail until a new key is put in. One that is missing already stays as it is.",
    pathParameters,
    responses: { 200: { description: "The slot.", schema: ProviderCredential } },
    refusals: { 404: "The slot was never configured." },
  },
  {
    ...writing("POST"),
    id: "validateProviderCredential",
    writes: "provider_credential",
    path: "/v1/provider-credentials/{slot}/validate",
    summary: "Asks the provider whether it takes the key in a slot",
    description:
      "The provider is asked for its list of models, which costs nothing, for at most 10 seconds, and at most five times in ten minutes for a slot. A key that it takes is `active` and one that it refuses `invalid`, with `last_validated_at`, and with the provider's words in `last_error`. Where the provider is away, or the key is good and may only not list models, `status` and `last_validated_at` stay as they were and `last_error` says why.",
    pathParameters,
    responses: {
      200: {
        description: "The slot, without its key, and whether the provider took it.",
        schema: ValidatedCredential,
      },
    },
    refusals: {
      409: "`conflict`: the slot has no key of the organization's own, or has got another one meanwhile.",
    },
  },
  {
    id: "reportInvalidProviderCredential",
    writes: "provider_credential",
    method: "POST",
    path: "/v1/provider-credentials/{slot}/report-invalid",
    idempotency: "transactional",
    summary: "Reports that the provider refuses the key in a slot",
    description:
      "This is for workers. The slot becomes `invalid`, and runs that need the provider fail until a new key is put in. Of one that is invalid already only `last_error` changes. With `activated_at`, as the slot had it when the key was tried, a newer key is left alone. Workers do not get the keys from this API: their operator gives them one.",
    access: "bearer",
    scopes: ["worker"],
    pathParameters,
    body: ReportInvalidBody,
    example: { last_error: "401: invalid x-api-key", activated_at: "2026-01-15T12:00:00.000Z" },
    responses: { 200: { description: "The slot, without its key.", schema: ProviderCredential } },
    refusals: {
      404: "The slot was never configured.",
      409: "`conflict`: there is no key in the slot, or a newer one than was tried.",
    },
  },
]);
