import * as z from "zod";
import type { Clock } from "../../domain/clock.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { type ProviderSlot, providerSlots } from "../../domain/provider/covered-providers.ts";
import type { ProviderCredential } from "../../domain/provider/provider-credential.ts";
import type { ProviderCredentialStore } from "../../domain/provider/provider-credential-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Item, Key } from "../table/item.ts";
import { providerCredentialKey } from "../table/keys.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";

const ProviderCredentialItem = z.object({
  kind: z.literal("provider_credential"),
  organization_id: z.string(),
  slot: z.enum(["anthropic", "openai", "google", "aws_bedrock"]),
  status: z.enum(["active", "invalid", "missing"]),
  auth_type: z.enum(["api_key", "service_account_json", "aws_bedrock_api_key", "aws_iam"]).optional(),
  key_last4: z.string().optional(),
  project_id: z.string().optional(),
  client_email: z.string().optional(),
  aws_region: z.string().optional(),
  access_key_id_last4: z.string().optional(),
  secret_name: z.string().optional(),
  last_error: z.string().optional(),
  activated_at: z.string().optional(),
  last_validated_at: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.number(),
});

export class DynamoProviderCredentialStore implements ProviderCredentialStore {
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;

  constructor(table: DynamoTable, clock: Pick<Clock, "now">) {
    this.#table = table;
    this.#clock = clock;
  }

  async find(organizationId: string, slot: ProviderSlot): Promise<ProviderCredential | undefined> {
    const item = await this.#table.get(providerCredentialKey(organizationId, slot));
    return item && parseProviderCredential(item);
  }

  async list(organizationId: string): Promise<readonly ProviderCredential[]> {
    const keys = providerSlots.map((slot) => providerCredentialKey(organizationId, slot));
    return (await this.#table.batchGet(keys)).map(parseProviderCredential);
  }

  async replace(
    credential: ProviderCredential,
    before: ProviderCredential | undefined,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const condition = before
      ? { expression: "revision = :before", values: { before: before.revision } }
      : { expression: "attribute_not_exists(pk)" };
    const outcome = await transactIdempotent(
      this.#table,
      [{ kind: "put", item: providerCredentialItem(credential), condition }],
      { idempotency, result: { slot: credential.slot, credential }, nowMs: this.#clock.now() },
    );
    return outcome.kind === "written";
  }
}

function providerCredentialItem(credential: ProviderCredential): Item & Key {
  const { metadata } = credential;
  return {
    ...providerCredentialKey(credential.organizationId, credential.slot),
    kind: "provider_credential",
    organization_id: credential.organizationId,
    slot: credential.slot,
    status: credential.status,
    auth_type: credential.authType ?? undefined,
    key_last4: metadata.keyLast4 ?? undefined,
    project_id: metadata.projectId ?? undefined,
    client_email: metadata.clientEmail ?? undefined,
    aws_region: metadata.awsRegion ?? undefined,
    access_key_id_last4: metadata.accessKeyIdLast4 ?? undefined,
    secret_name: credential.secretName ?? undefined,
    last_error: credential.lastError ?? undefined,
    activated_at: credential.activatedAt ?? undefined,
    last_validated_at: credential.lastValidatedAt ?? undefined,
    created_at: credential.createdAt,
    updated_at: credential.updatedAt,
    revision: credential.revision,
  };
}

export function parseProviderCredential(item: Item): ProviderCredential {
  const row = ProviderCredentialItem.parse(item);
  return {
    organizationId: row.organization_id,
    slot: row.slot,
    status: row.status,
    authType: row.auth_type ?? null,
    metadata: {
      keyLast4: row.key_last4 ?? null,
      projectId: row.project_id ?? null,
      clientEmail: row.client_email ?? null,
      awsRegion: row.aws_region ?? null,
      accessKeyIdLast4: row.access_key_id_last4 ?? null,
    },
    secretName: row.secret_name ?? null,
    lastError: row.last_error ?? null,
    activatedAt: row.activated_at ?? null,
    lastValidatedAt: row.last_validated_at ?? null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
  };
}
