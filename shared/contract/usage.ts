import * as z from "zod";
import { dayMs } from "../vocabulary/time.ts";
import { refuse, refuseValue, Timestamp } from "./fields/common.ts";
import { example } from "./fields/example.ts";

const usageDaysMax = 366;
const dateCharacters = "2026-01-31".length;

/** A date-time stands for its day in UTC. */
const Day = z.string().transform((text, context) => {
  const { success, data } = Timestamp.safeParse(text);
  if (success) return data.slice(0, dateCharacters);
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)) return text;
  refuse(context, { type: "date_parsing", message: "Input should be a valid date, such as 2026-01-31" });
  return z.NEVER;
});

const UsageMode = z.enum(["simulated", "billed"]);

const wire = { type: "string", format: "date" };

export const UsageQuery = z
  .strictObject({
    from_date: Day.meta({ wire, examples: ["2026-01-01"] }).describe(
      "The first day of the sums, in UTC. A date-time stands for its day.",
    ),
    to_date: Day.meta({ wire, examples: ["2026-01-31"] }).describe(
      "The last day of the sums, in UTC. A date-time stands for its day.",
    ),
    mode: UsageMode.default("simulated").describe(
      "Answered as it is given: each step counts in both, since the service has no prices.",
    ),
  })
  .superRefine(({ from_date, to_date }, context) => {
    const days = (Date.parse(to_date) - Date.parse(from_date)) / dayMs + 1;
    if (days >= 1 && days <= usageDaysMax) return;
    const error = `from_date to to_date are 1 to ${usageDaysMax} days, not ${days}`;
    refuseValue(context, error, ["to_date"]);
  })
  .meta({ says: [`From from_date to to_date are 1 to ${usageDaysMax} days, both counted.`] });

export type UsageQuery = z.infer<typeof UsageQuery>;

const count = z.int().min(0);

export const RunEnds = z
  .strictObject({
    success: count.describe("Number of times that a run ended as `success`."),
    error: count.describe("Number of times that a run ended as `error`."),
    task_failed: count.describe(
      "Number of times that a run ended as `task_failed`: its task turned out to be impossible.",
    ),
    cancelled: count.describe("Number of times that a run was cancelled."),
  })
  .describe("Number of ends of runs, by status.");

export const StepCounts = z
  .strictObject({
    agentic: count.describe("Number of steps that a model decided, except repairs."),
    replayed: count.describe("Number of steps that were replayed from a trajectory."),
    repaired: count.describe("Number of steps that a model decided in place of a recorded one."),
  })
  .describe("Number of steps of runs, by who decided them.");

export const ModelTokens = z
  .strictObject({
    provider: example(z.string(), "anthropic").describe("The provider that serves the model."),
    model: example(z.string(), "claude-sonnet-4-5").describe("The model, as its provider names it."),
    input_tokens: count.describe("Number of tokens that the model read, the provider's cache included."),
    output_tokens: count.describe("Number of tokens that the model wrote."),
    cached_tokens: count.describe("Number of the input tokens that came from the provider's cache."),
  })
  .describe("The tokens that runs used of one model.");

export const UsageAggregate = z
  .strictObject({
    from_date: example(z.string(), "2026-11-01").describe("The first day of the sums, in UTC."),
    to_date: example(z.string(), "2026-11-21").describe("The last day of the sums, in UTC."),
    runs: RunEnds.describe("Number of ends of runs by status; a retried run ends more than once."),
    steps: StepCounts.describe("Number of steps of the runs that the service carried out."),
    tokens: z
      .array(ModelTokens)
      .describe("The tokens of runs that the service carried out, by provider and model, most used first."),
    total_agentic_steps: count.describe("Number of steps that a model decided: `agentic` and `repaired`."),
    total_cached_steps: count.describe("Number of steps that were replayed, as `replayed` has it."),
    period_start: z.iso.datetime().describe("The beginning of `from_date`."),
    period_end: z.iso.datetime().describe("The end of `to_date`."),
    mode: UsageMode.describe("The `mode` that was asked for, which changes nothing."),
    runs_counted: count.describe("Number of ends of runs, of all statuses."),
  })
  .describe("The sums of the organization's runs in a range of days.");
export type UsageAggregate = z.infer<typeof UsageAggregate>;
