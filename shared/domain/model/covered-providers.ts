import type { CoveredProvider, ProviderSlot } from "../../vocabulary/providers.ts";

export function slotOf(provider: CoveredProvider): ProviderSlot {
  return provider === "google_vertex" ? "google" : provider;
}
