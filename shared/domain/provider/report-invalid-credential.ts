import type { ProviderSlot } from "../../vocabulary/providers.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { ProviderCredential } from "./provider-credential.ts";
import type { ProviderSlotState } from "./read-provider-credentials.ts";
import type { ChangeProviderCredentialDeps } from "./set-provider-credential.ts";

export interface ReportInvalidCredentialInput {
  readonly slot: ProviderSlot;
  readonly lastError: string;
  /** The activation time of the key that was tried, in ISO 8601. Undefined means the slot's current key. */
  readonly activatedAt?: string | undefined;
}

/** @throws {DomainError} `not_found`, or `conflict` if the slot has no key, or a newer one than was tried. */
export async function reportInvalidCredential(
  deps: Pick<ChangeProviderCredentialDeps, "providerCredentials" | "clock">,
  caller: Caller,
  input: ReportInvalidCredentialInput,
  idempotency?: Idempotency,
): Promise<ProviderSlotState> {
  requireScope(caller, "worker");
  const { slot, lastError } = input;
  return await untilWritten(deps, {
    what: `the slot ${slot}`,
    read: () => deps.providerCredentials.find(caller.organizationId, slot),
    decide: async (before) => {
      if (before === undefined) throw neverConfigured(slot);
      requireTried(before, input.activatedAt);
      const now = isoTimestamp(deps.clock.now());
      const credential = {
        ...before,
        ...(before.status === "active" && { status: "invalid" as const, lastValidatedAt: now }),
        lastError,
        updatedAt: now,
        revision: before.revision + 1,
      };
      const isWritten = await deps.providerCredentials.replace(credential, before, idempotency);
      return isWritten ? { slot, credential } : overtaken;
    },
  });
}

export function neverConfigured(slot: ProviderSlot): DomainError {
  return new DomainError(
    "not_found",
    `the slot ${slot} was never configured: the platform's own key is used`,
  );
}

function requireTried({ slot, status, activatedAt }: ProviderCredential, tried: string | undefined): void {
  if (status === "missing") throw new DomainError("conflict", `there is no key in the slot ${slot}`);
  if (tried === undefined || tried === activatedAt) return;
  throw new DomainError("conflict", `the slot ${slot} has another key than the one that was tried`, {
    details: { activated_at: activatedAt },
  });
}
