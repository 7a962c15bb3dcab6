import * as z from "zod";

export const Health = z.strictObject({ status: z.literal("ok"), version: z.string() });
export type Health = z.infer<typeof Health>;

export const ReachableDatabase = z.strictObject({
  status: z.literal("ok"),
  latency_ms: z.number().min(0).describe("Milliseconds that one read took."),
});
export const UnreachableDatabase = z.strictObject({ status: z.literal("error") });

/** 200 with the read's time, or 503. */
export const DatabaseHealth = z.discriminatedUnion("status", [ReachableDatabase, UnreachableDatabase]);
export type DatabaseHealth = z.infer<typeof DatabaseHealth>;

export const ErroredMachine = z.strictObject({
  machine_id: z.string(),
  error: z.string(),
  organization_id: z.string(),
  machine_name: z.string(),
  status_code: z.int().describe("The status that a call to the machine would have returned: 502, 504 …"),
});

/** 200 also when machines are in error. */
export const MachineHealthReport = z.strictObject({
  status: z.enum(["ok", "error"]),
  scope: z.enum(["organization", "all_organizations"]),
  checked_machines: z.int().min(0),
  healthy_machines: z.int().min(0),
  errored_machines: z.array(ErroredMachine),
  message: z.string(),
});
export type MachineHealthReport = z.infer<typeof MachineHealthReport>;
