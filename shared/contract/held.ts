import * as z from "zod";
import { holderKinds } from "../vocabulary/holds.ts";
import { example } from "./fields/example.ts";

export const Holder = z
  .strictObject({
    kind: z
      .enum(holderKinds)
      .describe(
        "The kind of holder: an API key, the user of a dashboard session, or the run's model, which asks for a person and drives nothing.",
      ),
    id: example(z.string().nullable(), "key_8d1c40").describe(
      "The id of the API key, or the user id of the session; null for a model.",
    ),
  })
  .describe("The party that holds the desktop.");

export const Held = z
  .strictObject({
    by: Holder.describe("The holder, who alone acts on the desktop."),
    reason: example(z.string().nullable(), "the code on the phone is needed").describe(
      "The reason for the hold, or the model's question; null without one.",
    ),
    since: z.iso.datetime().describe("Time at which the hold began."),
    until: z.iso
      .datetime()
      .describe("Time at which the hold expires: from then on it keeps nobody away from the desktop."),
  })
  .describe("A hold of a desktop: only its holder acts there.");

export const MachineHeld = Held.extend({
  run_id: z.guid().nullable().describe("The run that stands still meanwhile; null for a recording."),
  recording_id: z.guid().nullable().describe("The recording that the holder makes; null for a run."),
}).describe("A hold of a machine, of a run or for a recording.");
