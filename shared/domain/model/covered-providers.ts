/** Whose key pays for a model. */
export const providerSlots = ["anthropic", "openai", "google", "aws_bedrock"] as const;

export type ProviderSlot = (typeof providerSlots)[number];

/** The providers that run on each slot's key. */
export const coveredProviders = {
  anthropic: ["anthropic"],
  openai: ["openai"],
  google: ["google", "google_vertex"],
  aws_bedrock: ["aws_bedrock"],
} as const satisfies Readonly<Record<ProviderSlot, readonly string[]>>;

export type CoveredProvider = (typeof coveredProviders)[ProviderSlot][number];

/** The slot whose key a provider's models run on. */
export function slotOf(provider: CoveredProvider): ProviderSlot {
  return provider === "google_vertex" ? "google" : provider;
}
