import * as z from "zod";
import { stepSources, stepStatuses } from "../../vocabulary/run-steps.ts";
import { listOf, pageQuery, queryInt, Uuid } from "../fields/common.ts";

/** As many as a sort key has digits for. */
const indexMax = 999_999;

export const RunStepsQuery = z.strictObject({ ...pageQuery });

export const RunStepPath = z.strictObject({ run_id: Uuid, index: queryInt(1, indexMax) });

/** In pixels of the screen. */
export const Movement = z.strictObject({ dx: z.number(), dy: z.number() });

/** How a replayed step found its place. */
export const StepMatch = z.strictObject({
  score: z
    .number()
    .describe(
      "How alike the place and the recorded one are, at most 1; where `reason` is not null, the place that came nearest.",
    ),
  second_best: z.number().describe("The same of the place that is next to it in likeness."),
  moved_by: Movement.describe("From where it was recorded, in pixels."),
  waited_ms: z.number().min(0),
  reason: z
    .string()
    .nullable()
    .describe(
      "Why it was not done, and null only where it was: why its place was not found; `not_done`: it was found, and the desktop refused the action or nothing came of it; `outcome_unknown`: nobody knows whether it was done.",
    ),
});

export const StepScreenshot = z.strictObject({ width: z.int().min(1), height: z.int().min(1) });

/** Tokens of the call to a model that decided a step. */
export const StepUsage = z.strictObject({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cached_tokens: z.int().min(0),
});

export const RunStep = z.strictObject({
  index: z.int().min(1).describe("Counted over all attempts of the run."),
  attempt: z
    .int()
    .min(1)
    .describe(
      "Of the run: grows with each retry, and when the run goes to another machine because its start was not reached.",
    ),
  source: z
    .enum(stepSources)
    .describe(
      "Who decided it: a recorded trajectory, its `reset`, a model, the service itself (files, the last picture), or a worker that " +
        "acted under its `assignment_id`.",
    ),
  action: z
    .record(z.string(), z.unknown())
    .describe("With `type` and its fields, inputs filled in; a secret is shown as `{$alias}`."),
  status: z
    .enum(stepStatuses)
    .describe(
      "`sending`: on its way to the desktop; `unknown`: nobody can say any more whether the desktop did it.",
    ),
  text: z.string().nullable().describe("What the model said, at most 2,000 characters."),
  error: z.string().nullable(),
  match: StepMatch.nullable().describe("Of a replayed step: why it was or was not done."),
  expected: z
    .string()
    .nullable()
    .describe(
      "The path of a PNG of the recorded piece that a replayed step looked for, or of the part of the last recorded screen that an end missed; null where there is none.",
    ),
  screenshot: StepScreenshot.nullable().describe("Of its picture, in pixels; null where there is none."),
  model: z.string().nullable(),
  usage: StepUsage.nullable(),
  started_at: z.iso.datetime(),
  duration_ms: z.number().min(0).nullable(),
});
export type RunStep = z.infer<typeof RunStep>;

export const RunStepList = listOf(RunStep, z.never())
  .omit({ included: true })
  .extend({
    summary: z
      .string()
      .nullable()
      .describe(
        "How far the run's current attempt got: `3 of 8 done, nothing saved yet`, elements of its trajectory while that is replayed, else steps; null where its steps have expired.",
      ),
    is_safe_to_retry: z
      .boolean()
      .nullable()
      .describe(
        "Whether a retry does nothing a second time: no action of the attempt was sent to the desktop but looks, waits and the trajectory's `reset`, and no file was exported. Null while the run has not ended, of a worker's run, and where its steps have expired.",
      ),
  });
