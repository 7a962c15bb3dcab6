import * as z from "zod";
import { ownScopes, scopes } from "../vocabulary/access.ts";
import { listOf, pageQuery, Timestamp, Uuid } from "./fields/common.ts";
import { text } from "./fields/text.ts";

export const ApiKeyPath = z.strictObject({
  api_key_id: Uuid.describe("The key's `id`."),
});

export const ApiKeysQuery = z.strictObject({ ...pageQuery });

/** What an organization may give a key. */
export const ApiKeyScope = z
  .enum(ownScopes)
  .describe(
    "`read` reads, `write` changes, `driver` alone opens tunnels and nothing else, `worker` carries out runs, `admin` is all of `write` and the organization's keys.",
  );

export const CreateApiKeyBody = z
  .strictObject({
    name: text(1, 255).describe("For people; several keys may have the same."),
    scopes: z.array(ApiKeyScope).min(1).max(10).describe("What the key may do; one given twice counts once."),
    expires_at: Timestamp.optional().describe("Refused from then on; in the future. Default: never."),
  })
  .describe("A key to be made.");
export type CreateApiKeyBody = z.infer<typeof CreateApiKeyBody>;

const fields = {
  id: z
    .uuid()
    .describe(
      "Without its hyphens it is in the key's text, and is `key_service_key_id` of machines and `actor` of audit events.",
    ),
  name: z.string().describe("For people."),
  scopes: z
    .array(z.enum(scopes))
    .describe("What the key may do. `operator` is given by the service's operator alone."),
  user_id: z.uuid().describe("The user whom it acts for: that of whoever made it."),
  created_at: z.iso.datetime().describe("When it was made."),
  expires_at: z.iso.datetime().nullable().describe("Refused from then on; null: it does not expire."),
  last_used_at: z.iso
    .datetime()
    .nullable()
    .describe("The hour in which it was last used; null: never, or just now for the first time."),
  last4: z
    .string()
    .nullable()
    .describe("The last four characters of its text; null for one that is older than this field."),
};

export const ApiKey = z.strictObject(fields).describe("A key of the organization, without its text.");
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = z
  .strictObject({ ...fields, api_key: z.string().describe("The key's text. It is shown this once.") })
  .describe("A new key, with its text.");
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const ApiKeyList = listOf(ApiKey, z.never())
  .omit({ included: true })
  .describe("A page of the organization's keys.");
export type ApiKeyList = z.infer<typeof ApiKeyList>;
