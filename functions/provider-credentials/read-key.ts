import type { SetProviderCredentialBody } from "../../shared/contract/provider-credential.ts";
import { InvalidInput, valueError } from "../../shared/domain/invalid-input.ts";
import { noMetadata } from "../../shared/domain/provider/provider-credential.ts";
import type { SetProviderCredentialInput } from "../../shared/domain/provider/set-provider-credential.ts";
import { authTypesOf, type ProviderSlot } from "../../shared/vocabulary/providers.ts";

/** @throws {InvalidInput} for a kind of key that the slot does not accept. */
export function readKey(slot: ProviderSlot, body: SetProviderCredentialBody): SetProviderCredentialInput {
  const allowed = authTypesOf[slot];
  if (!allowed.includes(body.auth_type)) {
    const error = `the slot ${slot} takes ${allowed.join(" or ")}`;
    throw new InvalidInput([valueError(["body", "auth_type"], error)]);
  }
  return { slot, authType: body.auth_type, ...partsOf(body) };
}

function partsOf(body: SetProviderCredentialBody): Pick<SetProviderCredentialInput, "values" | "metadata"> {
  switch (body.auth_type) {
    case "api_key":
      return {
        values: { api_key: body.api_key },
        metadata: { ...noMetadata, keyLast4: last4(body.api_key) },
      };
    case "aws_bedrock_api_key":
      return {
        values: { api_key: body.api_key },
        metadata: { ...noMetadata, keyLast4: last4(body.api_key), awsRegion: body.aws_region },
      };
    case "aws_iam":
      return {
        values: { access_key_id: body.access_key_id, secret_access_key: body.secret_access_key },
        metadata: { ...noMetadata, accessKeyIdLast4: last4(body.access_key_id), awsRegion: body.aws_region },
      };
    case "service_account_json": {
      const { text, project_id, client_email } = body.service_account_json;
      return {
        values: { service_account_json: text },
        metadata: { ...noMetadata, projectId: project_id, clientEmail: client_email },
      };
    }
  }
}

function last4(key: string): string {
  return key.slice(-4);
}
