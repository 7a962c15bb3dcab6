import type { UsageAggregate, UsageQuery } from "../../shared/contract/usage.ts";
import type { Usage } from "../../shared/domain/usage/usage.ts";

export function presentUsage(
  { runs, steps, tokens }: Usage,
  { from_date, to_date, mode }: UsageQuery,
): UsageAggregate {
  return {
    from_date,
    to_date,
    runs: { ...runs },
    steps: { ...steps },
    tokens: tokens.map((of) => ({
      provider: of.provider,
      model: of.model,
      input_tokens: of.inputTokens,
      output_tokens: of.outputTokens,
      cached_tokens: of.cachedTokens,
    })),
    total_agentic_steps: steps.agentic + steps.repaired,
    total_cached_steps: steps.replayed,
    period_start: `${from_date}T00:00:00.000Z`,
    period_end: `${to_date}T23:59:59.999Z`,
    mode,
    runs_counted: Object.values(runs).reduce((sum, ends) => sum + ends, 0),
  };
}
