import type { ProviderSlot } from "../../vocabulary/providers.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { type RateLimiter, requireRoom } from "../access/rate-limits.ts";
import { isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { ProviderKey } from "../model/provider-key.ts";
import type { SecretStore } from "../secret-store.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { providerKeyOf } from "./own-provider-keys.ts";
import type { ProviderSlotState } from "./read-provider-credentials.ts";
import type { ChangeProviderCredentialDeps } from "./set-provider-credential.ts";

export type KeyCheck =
  | { readonly kind: "accepted" }
  /** The error has the provider's words, without the key. */
  | { readonly kind: "refused"; readonly error: string }
  /** The provider is away, or its response says nothing about the key. */
  | { readonly kind: "unknown"; readonly error: string };

/** Checks whether a provider accepts a key, by the provider's cheapest call. */
export interface KeyChecker {
  check(slot: ProviderSlot, key: ProviderKey): Promise<KeyCheck>;
}

/** A provider's answers must not tell anybody which of many guessed keys is good. */
const checksMax = 5;
const checksWindowSeconds = 600;

export interface ValidateProviderCredentialDeps
  extends Pick<ChangeProviderCredentialDeps, "providerCredentials" | "clock"> {
  readonly rateLimiter: RateLimiter;
  readonly secrets: Pick<SecretStore, "read">;
  readonly keyChecker: KeyChecker;
}

/**
 * A refused key becomes `invalid`; an unknown outcome sets only `last_error`.
 *
 * @throws {DomainError} `conflict`, or `rate_limited` after five checks of a slot in ten minutes.
 */
export async function validateProviderCredential(
  deps: ValidateProviderCredentialDeps,
  caller: Caller,
  { slot }: { readonly slot: ProviderSlot },
  idempotency?: Idempotency,
): Promise<ProviderSlotState> {
  requireScope(caller, "write");
  const find = () => deps.providerCredentials.find(caller.organizationId, slot);
  const tried = await find();
  const { secretName = null } = tried ?? {};
  const values = secretName === null ? undefined : await deps.secrets.read(secretName);
  const key = tried && values && providerKeyOf(tried, values);
  if (key === undefined) {
    throw new DomainError("conflict", `there is no key of the organization's own in the slot ${slot}`);
  }
  await requireRoom(
    deps,
    {
      name: `key-checks#${caller.organizationId}#${slot}`,
      limit: checksMax,
      windowSeconds: checksWindowSeconds,
    },
    `a provider is asked about a slot's key at most ${checksMax} times in ${checksWindowSeconds / 60} minutes`,
  );
  const check = await deps.keyChecker.check(slot, key);
  const now = isoTimestamp(deps.clock.now());
  const lastError = check.kind === "accepted" ? null : check.error;
  const found =
    check.kind === "unknown"
      ? { lastError }
      : {
          status: check.kind === "accepted" ? ("active" as const) : ("invalid" as const),
          lastError,
          lastValidatedAt: now,
        };
  // A run may report meanwhile, which changes the row but not the key.
  return await untilWritten(deps, {
    what: `the slot ${slot}`,
    read: find,
    decide: async (before) => {
      if (before?.secretName !== secretName) throw replacedSince(slot);
      const credential = { ...before, ...found, updatedAt: now, revision: before.revision + 1 };
      const isWritten = await deps.providerCredentials.replace(credential, before, idempotency);
      return isWritten ? { slot, credential } : overtaken;
    },
  });
}

function replacedSince(slot: ProviderSlot): DomainError {
  return new DomainError("conflict", `the slot ${slot} has got another key since, or none; validate again`);
}
