import * as z from "zod";
import { callerKinds, ownScopes, scopes } from "../vocabulary/access.ts";
import { pageOf, pageQuery, Timestamp } from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { name } from "./fields/text.ts";

export const ApiKeysQuery = z.strictObject({ ...pageQuery });

export const ApiKeyScope = z
  .enum(ownScopes)
  .describe(
    "A permission of an API key: `read` reads, `write` changes, `driver` alone opens tunnels and nothing else, `worker` carries out runs, `admin` is all of `write` and the organization's API keys.",
  );

export const CreateApiKeyBody = z
  .strictObject({
    name: name(1, 255).describe("The API key's name, for people; several keys may have the same name."),
    scopes: z
      .array(ApiKeyScope)
      .min(1)
      .max(10)
      .describe("The API key's permissions; a scope given twice counts once."),
    expires_at: Timestamp.optional().describe(
      "Time from which the API key is refused; it must be in the future. Default: the key does not expire.",
    ),
  })
  .describe("The name, scopes and expiry of an API key to create.");
export type CreateApiKeyBody = z.infer<typeof CreateApiKeyBody>;

const fields = {
  id: z
    .uuid()
    .describe(
      "The API key's id. Without its hyphens it is part of the key's text, and it is `key_service_key_id` of machines and `actor` of audit events.",
    ),
  name: example(z.string(), "Nightly jobs").describe("The API key's name, for people."),
  scopes: z
    .array(z.enum(scopes))
    .describe("The API key's permissions. `operator` is given by the service's operator alone."),
  user_id: z
    .uuid()
    .describe("The user that the API key acts for: the user of the credentials that created it."),
  created_at: z.iso.datetime().describe("Time at which the API key was created."),
  expires_at: z.iso
    .datetime()
    .nullable()
    .describe("Time from which the API key is refused; null if it does not expire."),
  last_used_at: example(z.iso.datetime().nullable(), "2026-11-21T12:00:00.000Z").describe(
    "The hour of the API key's last use; null before its first use, and shortly after it.",
  ),
  last4: example(z.string().nullable(), "a1b2").describe(
    "The last four characters of the API key's text; null for a key that is older than this field.",
  ),
};

export const ApiKey = z.strictObject(fields).describe("An API key of the organization, without its text.");
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = z
  .strictObject({
    ...fields,
    api_key: example(z.string(), "das_0123456789abcdef").describe(
      "The API key's text, which no other response shows.",
    ),
  })
  .describe("A new API key, with its text.");
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const ApiKeyList = pageOf(ApiKey).describe("A page of the organization's API keys.");
export type ApiKeyList = z.infer<typeof ApiKeyList>;

export const CallerFacts = z
  .strictObject({
    kind: z
      .enum(callerKinds)
      .extract(["api_key", "session"])
      .describe("`api_key`, or `session` for the token of a dashboard's user."),
    organization_id: example(z.string(), "org_2f9c").describe(
      "The organization that the credentials are of.",
    ),
    user_id: fields.user_id.describe("The user that the credentials act for."),
    api_key_id: z.uuid().nullable().describe("The API key's id; null for a session."),
    scopes: fields.scopes.describe("The permissions of the credentials; `admin` includes `write`."),
  })
  .describe("The caller as the service sees it: the organization and the scopes of the credentials.");
export type CallerFacts = z.infer<typeof CallerFacts>;
