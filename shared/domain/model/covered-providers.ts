import type { CoveredProvider, ProviderSlot } from "../../vocabulary/providers.ts";

/** The slot whose key a provider's models run on. */
export function slotOf(provider: CoveredProvider): ProviderSlot {
  return provider === "google_vertex" ? "google" : provider;
}
