import * as z from "zod";
import { stepSources, stepStatuses } from "../../vocabulary/run-steps.ts";
import {
  pageOf,
  pageQuery,
  queryInt,
  refuseSkipBesideAfter,
  refuseValue,
  skipOrAfter,
} from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { pathId } from "../fields/path-parameters.ts";
import { Run, waitQuery } from "./run.ts";

/** A step's sort key has six digits. */
const indexMax = 999_999;

export const RunStepsQuery = z
  .strictObject({
    ...pageQuery,
    after: example(queryInt(0, indexMax).optional(), 100).describe(
      "The index of the last step of the page before: the page begins behind it. It stands in place of `skip`.",
    ),
    after_index: example(queryInt(0, indexMax).optional(), 12).describe(
      "The index of the last step that the caller has, 0 for none: only later steps are listed, each with its outcome, so that one under way is in a later page. It stands in place of `skip` and `after`. Default with `wait_seconds`: 0.",
    ),
    ...waitQuery,
  })
  .superRefine(refuseSkipBesideAfter)
  .superRefine(({ skip, after, after_index, wait_seconds }, context) => {
    if (after_index === undefined && wait_seconds === 0) return;
    const error =
      "after_index and wait_seconds list the steps that the caller does not have yet: send after_index alone";
    if (skip > 0) refuseValue(context, error, ["skip"]);
    if (after !== undefined) refuseValue(context, error, ["after"]);
  })
  .meta({
    says: [skipOrAfter, "`skip` and `after` are refused beside `after_index` and `wait_seconds`."],
  });

export const RunStepPath = z.strictObject({
  run_id: pathId("run_id"),
  index: queryInt(1, indexMax).describe("The step's number, counted from 1 over all attempts of the run."),
});

export const Movement = z
  .strictObject({
    dx: example(z.number(), 0).describe("Distance to the right, in pixels."),
    dy: example(z.number(), -12).describe("Distance down, in pixels."),
  })
  .describe("A distance on the screen, in pixels.");

export const StepMatch = z
  .strictObject({
    score: example(z.number(), 0.98).describe(
      "The likeness of the place and the recorded one, at most 1; for a step that was not done, that of the place that came nearest.",
    ),
    second_best: example(z.number(), 0.41).describe(
      "The likeness of the place that is the second most alike.",
    ),
    moved_by: Movement.describe("The distance of the place from where it was recorded."),
    waited_ms: example(z.number().min(0), 180).describe(
      "Time until the place was found or given up, in milliseconds.",
    ),
    reason: z
      .string()
      .nullable()
      .describe(
        "The reason why the step was not done; null if it was. `not_done`: the place was found, and the desktop refused the action or nothing came of it; `outcome_unknown`: nobody knows whether it was done; other values say why the place was not found.",
      ),
  })
  .describe("The search for a replayed step's place on the screen.");

export const StepScreenshot = z
  .strictObject({
    width: example(z.int().min(1), 1_920).describe("The picture's width in pixels."),
    height: example(z.int().min(1), 1_080).describe("The picture's height in pixels."),
  })
  .describe("Size of a step's picture, in pixels.");

export const StepUsage = z
  .strictObject({
    input_tokens: z
      .int()
      .min(0)
      .describe("Number of tokens that the model read, the provider's cache included."),
    output_tokens: z.int().min(0).describe("Number of tokens that the model wrote."),
    cached_tokens: z.int().min(0).describe("Number of the input tokens that came from the provider's cache."),
  })
  .describe("The tokens of the call to a model that decided a step.");

export const RunStep = z
  .strictObject({
    index: z.int().min(1).describe("The step's number, counted from 1 over all attempts of the run."),
    attempt: z
      .int()
      .min(1)
      .describe(
        "The attempt of the run, counted from 1. It grows with each retry, and when the run goes to another machine because its start was not reached.",
      ),
    source: z
      .enum(stepSources)
      .describe(
        "The party that decided the step: a recorded trajectory (`replay`), its `reset`, a model, the service itself (files, the last picture), or a worker under its `assignment_id`.",
      ),
    action: example(z.record(z.string(), z.unknown()), {
      type: "click",
      x: 640,
      y: 480,
      target: "the field Customer",
    }).describe("The action, with `type` and its fields; a secret is shown as `{$alias}`."),
    status: example(z.enum(stepStatuses), "done").describe(
      "The step's outcome. `sending`: it is on its way to the desktop; `unknown`: nobody can say any more whether the desktop did it.",
    ),
    text: example(z.string().nullable(), "The form is open; the customer comes first.").describe(
      "The model's words about the step, at most 2,000 characters; null if there are none.",
    ),
    error: z.string().nullable().describe("The reason why the step failed; null if it did not."),
    match: StepMatch.nullable().describe(
      "The search for a replayed step's place, and why it was or was not done; null for other steps.",
    ),
    expected: z
      .string()
      .nullable()
      .describe(
        "The path of a PNG of the recorded piece that a replayed step looked for, or of the part of the last recorded screen that an end missed; null if there is none.",
      ),
    screenshot: StepScreenshot.nullable().describe(
      "Size of the picture after the step, in pixels; null if there is none.",
    ),
    model: example(z.string().nullable(), "claude-sonnet-4-5").describe(
      "The model that decided the step, as its provider names it; null if none did.",
    ),
    usage: StepUsage.nullable().describe("The tokens of the call to the model; null if there was none."),
    started_at: z.iso.datetime().describe("Time at which the step began."),
    duration_ms: example(z.number().min(0).nullable(), 412).describe(
      "Time that the step took, in milliseconds; null while that is unknown.",
    ),
  })
  .describe("One thing that was done for a run.");
export type RunStep = z.infer<typeof RunStep>;

export const RunStepList = pageOf(RunStep)
  .extend({
    summary: example(z.string().nullable(), "3 of 8 done, 1 value saved").describe(
      "The progress of the run's current attempt, such as `3 of 8 done, 1 value saved`: elements of the trajectory while it is replayed, else steps. Null if its steps have expired, and in a page with `after_index` or `wait_seconds` that has no `run`.",
    ),
    is_safe_to_retry: z
      .boolean()
      .nullable()
      .describe(
        "Whether a retry does nothing a second time: the attempt sent the desktop only looks, waits and the trajectory's `reset`, and exported no file. Null while the run has not ended, for a worker's run, if its steps have expired, and whenever `summary` is.",
      ),
    run: example(Run.nullable(), null).describe(
      "The run, in a page with `after_index` or `wait_seconds`, once it has ended and has no later step: then there is nothing more to wait for. Else null.",
    ),
  })
  .describe("A page of a run's steps, oldest first.");
