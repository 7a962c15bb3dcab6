import * as z from "zod";
import { healthScopes } from "../vocabulary/machines.ts";
import { OrganizationId } from "./fields/common.ts";
import { example } from "./fields/example.ts";

export const Health = z
  .strictObject({
    status: z.literal("ok").describe("The constant `ok`: the service responds."),
    version: example(z.string(), "1.0.0").describe("The release of the service that responded."),
  })
  .describe("The response of a service that is up.");
export type Health = z.infer<typeof Health>;

export const ReachableDatabase = z
  .strictObject({
    status: z.literal("ok").describe("The constant `ok`: the database responded."),
    latency_ms: z.number().min(0).describe("Time that one read of the database took, in milliseconds."),
  })
  .describe("The report that the database responds.");
export const UnreachableDatabase = z
  .strictObject({
    status: z.literal("error").describe("The constant `error`: the database did not respond."),
  })
  .describe("The report that the database does not respond.");

export const DatabaseHealth = z
  .discriminatedUnion("status", [ReachableDatabase, UnreachableDatabase])
  .describe("The database's state: `ok` with the time of a read, or `error`.");
export type DatabaseHealth = z.infer<typeof DatabaseHealth>;

export const ErroredMachine = z
  .strictObject({
    machine_id: z.string().describe("The machine that did not respond as it should."),
    error: example(z.string(), "the desktop did not respond in time").describe(
      "A sentence for people that says what went wrong.",
    ),
    organization_id: OrganizationId.describe("The organization that the machine belongs to."),
    machine_name: example(z.string(), "Front desk").describe("The machine's name, for people."),
    status_code: example(z.int(), 504).describe(
      "The HTTP status that a call to the machine would have returned, such as 502 or 504.",
    ),
  })
  .describe("A connected machine that did not respond as it should.");

export const MachineHealthReport = z
  .strictObject({
    status: example(z.enum(["ok", "error"]), "error").describe(
      "The overall result: `error` if at least one connected machine did not respond as it should.",
    ),
    scope: z
      .enum(healthScopes)
      .describe(
        "The machines that were asked: the organization's, or all organizations' for a key with the scope `operator`.",
      ),
    checked_machines: example(z.int().min(0), 2).describe("Number of connected machines that were asked."),
    healthy_machines: z.int().min(0).describe("Number of machines that responded as they should."),
    errored_machines: z.array(ErroredMachine).describe("The machines that did not respond as they should."),
    message: example(z.string(), "1 of 2 machines did not respond").describe(
      "The result in a sentence, for people.",
    ),
  })
  .describe("The result of asking all connected machines; the status is 200 also when some did not respond.");
export type MachineHealthReport = z.infer<typeof MachineHealthReport>;
