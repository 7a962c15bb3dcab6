import * as z from "zod";
import { refuse, refuseValue } from "./fields/common.ts";

/** Most days of one aggregate, both ends included. */
const usageDaysMax = 366;

const dayMs = 86_400_000;

const Day = z.string().transform((text, context) => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)) return text;
  refuse(context, { type: "date_parsing", message: "Input should be a valid date, such as 2026-01-31" });
  return z.NEVER;
});

export const UsageQuery = z
  .strictObject({
    from_date: Day.meta({ wire: { type: "string", format: "date" } }),
    to_date: Day.meta({ wire: { type: "string", format: "date" } }),
  })
  .superRefine(({ from_date, to_date }, context) => {
    const days = (Date.parse(to_date) - Date.parse(from_date)) / dayMs + 1;
    if (days >= 1 && days <= usageDaysMax) return;
    const error = `from_date to to_date are 1 to ${usageDaysMax} days, not ${days}`;
    refuseValue(context, error, ["to_date"]);
  });

const count = z.int().min(0);

/** How often runs ended, by status. */
export const RunEnds = z.strictObject({ success: count, error: count, task_failed: count, cancelled: count });

/** Steps by who decided them. */
export const StepCounts = z.strictObject({ agentic: count, replayed: count, repaired: count });

/** Tokens of one model. */
export const ModelTokens = z.strictObject({
  provider: z.string(),
  model: z.string(),
  input_tokens: count.describe("Those from the provider's cache among them."),
  output_tokens: count,
  cached_tokens: count,
});

export const UsageAggregate = z.strictObject({
  from_date: z.string(),
  to_date: z.string(),
  runs: RunEnds.describe("Ends of runs by their status; one that was retried ends more than once."),
  steps: StepCounts.describe("Of the runs that the service carried out."),
  tokens: z
    .array(ModelTokens)
    .describe("Of the runs that the service carried out, by provider and model, the most used first."),
});
export type UsageAggregate = z.infer<typeof UsageAggregate>;
