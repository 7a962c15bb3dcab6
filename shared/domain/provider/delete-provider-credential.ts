import type { ProviderSlot } from "../../vocabulary/providers.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { removeSecret } from "../secrets/own-secret.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { noMetadata } from "./provider-credential.ts";
import type { ProviderSlotState } from "./read-provider-credentials.ts";
import { neverConfigured } from "./report-invalid-credential.ts";
import type { ChangeProviderCredentialDeps } from "./set-provider-credential.ts";

/** Runs that need the slot fail until a new key is set. Idempotent. @throws {DomainError} `not_found` */
export async function deleteProviderCredential(
  deps: ChangeProviderCredentialDeps,
  caller: Caller,
  { slot }: { readonly slot: ProviderSlot },
  idempotency?: Idempotency,
): Promise<ProviderSlotState> {
  requireScope(caller, "write");
  return await untilWritten(deps, {
    what: `the slot ${slot}`,
    read: () => deps.providerCredentials.find(caller.organizationId, slot),
    decide: async (before) => {
      if (!before) throw neverConfigured(slot);
      const isMissing = before.status === "missing";
      const credential = isMissing
        ? before
        : {
            ...before,
            status: "missing" as const,
            authType: null,
            metadata: noMetadata,
            secretName: null,
            lastError: null,
            activatedAt: null,
            lastValidatedAt: null,
            updatedAt: isoTimestamp(deps.clock.now()),
          };
      if (isMissing && !idempotency) return { slot, credential };
      const changed = { ...credential, revision: before.revision + 1 };
      if (!(await deps.providerCredentials.replace(changed, before, idempotency))) return overtaken;
      await removeSecret(deps, before.secretName);
      return { slot, credential: changed };
    },
  });
}
