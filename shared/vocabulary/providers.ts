export const providerSlots = ["anthropic", "openai", "google", "aws_bedrock"] as const;
export type ProviderSlot = (typeof providerSlots)[number];

export const coveredProviders = {
  anthropic: ["anthropic"],
  openai: ["openai"],
  google: ["google", "google_vertex"],
  aws_bedrock: ["aws_bedrock"],
} as const satisfies Readonly<Record<ProviderSlot, readonly string[]>>;
export type CoveredProvider = (typeof coveredProviders)[ProviderSlot][number];

export const providerAuthTypes = [
  "api_key",
  "service_account_json",
  "aws_bedrock_api_key",
  "aws_iam",
] as const;
export type ProviderAuthType = (typeof providerAuthTypes)[number];

/** The kinds of credentials that a slot takes. */
export const authTypesOf: Readonly<Record<ProviderSlot, readonly ProviderAuthType[]>> = {
  anthropic: ["api_key"],
  openai: ["api_key"],
  google: ["api_key", "service_account_json"],
  aws_bedrock: ["aws_bedrock_api_key", "aws_iam"],
};

/** `missing` follows a DELETE, and `invalid` a worker's report that the provider refuses the key. */
export const providerCredentialStatuses = ["active", "invalid", "missing"] as const;
export type ProviderCredentialStatus = (typeof providerCredentialStatuses)[number];

/** The addresses that a deployment may set: those of the providers' models, and Google's of access tokens. */
export const modelEndpoints = ["anthropic", "openai", "google", "vertex", "bedrock", "googleToken"] as const;
export type ModelEndpoint = (typeof modelEndpoints)[number];
