import { ApiKeyList, ApiKeysQuery, CallerFacts, CreateApiKeyBody, CreatedApiKey } from "../api-key.ts";
import { defineOperations, deleted, reading, writing } from "./operation.ts";

const scopes = ["admin"] as const;

export const apiKeyOperations = defineOperations("API keys", [
  {
    ...reading,
    id: "getCaller",
    path: "/v1/caller",
    summary: "Reads what the credentials allow",
    description:
      "A page or a program offers only what its user may do. API keys and dashboard sessions alike; nothing of a key's text is in the response.",
    responses: { 200: { description: "The caller.", schema: CallerFacts } },
  },
  {
    ...reading,
    scopes,
    id: "listApiKeys",
    path: "/v1/api-keys",
    summary: "Lists the organization's API keys",
    description:
      "The list is sorted newest first, with keys of the operator's program, and without those that were deleted or revoked. A key that has expired stays until it is deleted.",
    query: ApiKeysQuery,
    responses: { 200: { description: "A page, with the total.", schema: ApiKeyList } },
  },
  {
    ...writing("POST"),
    scopes,
    id: "createApiKey",
    writes: "api_key",
    path: "/v1/api-keys",
    summary: "Creates an API key",
    description:
      "`api_key` is in this response alone, and in a repeat's under the same Idempotency-Key, for which it is kept encrypted for 24 hours. The key works at once.",
    body: CreateApiKeyBody,
    example: { name: "Nightly jobs", scopes: ["read", "write"], expires_at: "2099-01-01T00:00:00Z" },
    responses: { 201: { description: "The key, with its text.", schema: CreatedApiKey } },
    refusals: { 409: "`limit_reached`: the organization has 1,000." },
  },
  {
    ...writing("DELETE"),
    scopes,
    id: "deleteApiKey",
    writes: "api_key",
    path: "/v1/api-keys/{api_key_id}",
    summary: "Deletes an API key",
    description:
      "The key is refused from then on, everywhere within 30 seconds; connections that it has opened are closed within two minutes. Any key of the organization, the caller's own and the last one too: a dashboard session or the operator's program makes another.",
    responses: deleted,
    refusals: {
      409: "`conflict`: the key has the scope `operator`, and is the operator's program's to revoke.",
    },
  },
]);
