import { type ProviderSlot, providerSlots } from "../../vocabulary/providers.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import type { ProviderCredential } from "./provider-credential.ts";
import type { ProviderCredentialStore } from "./provider-credential-store.ts";

/** The credential is undefined if none was ever configured. */
export interface ProviderSlotState {
  readonly slot: ProviderSlot;
  readonly credential: ProviderCredential | undefined;
}

interface Deps {
  readonly providerCredentials: Pick<ProviderCredentialStore, "find" | "list">;
}

export async function listProviderCredentials(
  deps: Deps,
  caller: Caller,
): Promise<readonly ProviderSlotState[]> {
  requireScope(caller, "read");
  const configured = await deps.providerCredentials.list(caller.organizationId);
  return providerSlots.map((slot) => ({
    slot,
    credential: configured.find((credential) => credential.slot === slot),
  }));
}

export async function getProviderCredential(
  deps: Deps,
  caller: Caller,
  input: { readonly slot: ProviderSlot },
): Promise<ProviderSlotState> {
  requireScope(caller, "read");
  const credential = await deps.providerCredentials.find(caller.organizationId, input.slot);
  return { slot: input.slot, credential };
}
