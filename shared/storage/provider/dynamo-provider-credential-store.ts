import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { ProviderCredential } from "../../domain/provider/provider-credential.ts";
import type { ProviderCredentialStore } from "../../domain/provider/provider-credential-store.ts";
import {
  type ProviderSlot,
  providerAuthTypes,
  providerCredentialStatuses,
  providerSlots,
} from "../../vocabulary/providers.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import { hasValue, isNew, put } from "../table/expression.ts";
import { providerCredentialKey } from "../table/keys.ts";
import { number, oneOf, orNull, row, spread, tenant, text } from "../table/row.ts";

const credentialRow = row<ProviderCredential>("provider_credential", {
  organizationId: tenant,
  slot: oneOf(providerSlots),
  status: oneOf(providerCredentialStatuses),
  authType: orNull(oneOf(providerAuthTypes)),
  metadata: spread("", {
    keyLast4: orNull(text),
    projectId: orNull(text),
    clientEmail: orNull(text),
    awsRegion: orNull(text),
    accessKeyIdLast4: orNull(text),
  }),
  secretName: orNull(text),
  lastError: orNull(text),
  activatedAt: orNull(text),
  lastValidatedAt: orNull(text),
  createdAt: text,
  updatedAt: text,
  revision: number,
});

export const parseProviderCredential = credentialRow.parse;

export class DynamoProviderCredentialStore extends IdempotentStore implements ProviderCredentialStore {
  async find(organizationId: OrganizationId, slot: ProviderSlot): Promise<ProviderCredential | undefined> {
    const item = await this.table.get(providerCredentialKey(organizationId, slot));
    return item && parseProviderCredential(item);
  }

  async list(organizationId: OrganizationId): Promise<readonly ProviderCredential[]> {
    const keys = providerSlots.map((slot) => providerCredentialKey(organizationId, slot));
    return (await this.table.batchGet(keys)).map(parseProviderCredential);
  }

  async replace(
    credential: ProviderCredential,
    before: ProviderCredential | undefined,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const condition = before ? hasValue("revision", before.revision) : isNew;
    const key = providerCredentialKey(credential.organizationId, credential.slot);
    const { failed } = await this.transact(
      idempotency,
      { slot: credential.slot, credential },
      { credential: put({ ...key, ...credentialRow.write(credential) }, condition) },
    );
    return failed === undefined;
  }
}
