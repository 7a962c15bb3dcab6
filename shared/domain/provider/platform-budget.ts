import { type Clock, dayOf } from "../clock.ts";
import type { ProviderKeys } from "../model/provider-key.ts";
import type { OrganizationId } from "../organization-id.ts";

/** The tokens that an organization has used on the platform's own keys, by day of UTC. */
export interface PlatformTokenStore {
  used(organizationId: OrganizationId, day: string): Promise<number>;
  add(organizationId: OrganizationId, day: string, tokens: number): Promise<void>;
}

export interface PlatformBudgetDeps {
  readonly platformTokens: PlatformTokenStore;
  readonly clock: Clock;
  /** The tokens per day and organization on the platform's keys; 0 disables them. */
  readonly platformTokensPerDay: number;
}

/** The last call may exceed the budget, because its tokens are known only after it. */
export async function hasPlatformBudget(
  { platformTokens, clock, platformTokensPerDay }: PlatformBudgetDeps,
  organizationId: OrganizationId,
): Promise<boolean> {
  if (platformTokensPerDay === 0) return false;
  return (await platformTokens.used(organizationId, dayOf(clock.now()))) < platformTokensPerDay;
}

export async function spendPlatformTokens(
  { platformTokens, clock }: Pick<PlatformBudgetDeps, "platformTokens" | "clock">,
  organizationId: OrganizationId,
  { inputTokens, outputTokens }: Parameters<ProviderKeys["spend"]>[2],
): Promise<void> {
  const tokens = inputTokens + outputTokens;
  if (tokens > 0) await platformTokens.add(organizationId, dayOf(clock.now()), tokens);
}
