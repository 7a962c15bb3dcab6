import type { ProviderAuthType, ProviderSlot } from "../../vocabulary/providers.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { SecretValues } from "../secret-store.ts";
import { removeSecret, type SecretDeps, withSecrets, writeSecret } from "../secrets/own-secret.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { ProviderCredential, ProviderKeyMetadata } from "./provider-credential.ts";
import type { ProviderCredentialStore } from "./provider-credential-store.ts";
import type { ProviderSlotState } from "./read-provider-credentials.ts";

export interface ChangeProviderCredentialDeps extends SecretDeps {
  readonly providerCredentials: Pick<ProviderCredentialStore, "find" | "replace">;
  readonly clock: Clock;
}

export interface SetProviderCredentialInput {
  readonly slot: ProviderSlot;
  readonly authType: ProviderAuthType;
  readonly values: SecretValues;
  readonly metadata: ProviderKeyMetadata;
}

/** Writes the secret, then the row that names it, then removes the old secret. @throws {DomainError} `rate_limited` */
export async function setProviderCredential(
  deps: ChangeProviderCredentialDeps,
  caller: Caller,
  input: SetProviderCredentialInput,
  idempotency?: Idempotency,
): Promise<ProviderSlotState> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const { slot, authType, values, metadata } = input;
  return withSecrets(deps, idempotency, async (leased, abandon) => {
    const id = leased?.ids[1] ?? deps.ids.uuid7();
    const owner = { kind: "provider", id: slot } as const;
    const { secretName } = await writeSecret(deps, { organizationId, owner, id }, values);
    const write = async (before: ProviderCredential | undefined) => {
      const now = isoTimestamp(deps.clock.now());
      const credential: ProviderCredential = {
        organizationId,
        slot,
        status: "active",
        authType,
        metadata,
        secretName,
        lastError: null,
        activatedAt: now,
        lastValidatedAt: null,
        createdAt: before?.createdAt ?? now,
        updatedAt: now,
        revision: (before?.revision ?? 0) + 1,
      };
      if (!(await deps.providerCredentials.replace(credential, before, leased))) return overtaken;
      if (before && before.secretName !== secretName) await removeSecret(deps, before.secretName);
      return { slot, credential };
    };
    return await untilWritten(deps, {
      what: `the slot ${slot}`,
      read: () => deps.providerCredentials.find(organizationId, slot),
      decide: write,
    }).catch((error: unknown) => {
      if (error instanceof ChangedTooOften) abandon(secretName);
      throw error;
    });
  });
}
