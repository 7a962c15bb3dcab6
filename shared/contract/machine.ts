import * as z from "zod";
import { machineStatuses } from "../vocabulary/machines.ts";
import { createdQuery, includeQuery, listOf, pageQuery, Timestamp, Uuid } from "./fields/common.ts";
import { distinctUuids } from "./fields/distinct-uuids.ts";
import { Parameters, SensitiveParameters } from "./fields/parameters.ts";
import { text } from "./fields/text.ts";

const ShortText = text(1, 255);
const OsInfo = text(1, 1024);

export const MachineStatus = z.enum(machineStatuses);

export const CreateMachineBody = z.strictObject({
  fingerprint: Uuid.describe("UUID of the driver's installation; unique in the organization."),
  name: ShortText.optional(),
  version: ShortText.optional(),
  hostname: ShortText.optional(),
  os_info: OsInfo.optional(),
  machine_parameters: Parameters.optional(),
  machine_sensitive_parameters: SensitiveParameters.optional(),
});
export type CreateMachineBody = z.infer<typeof CreateMachineBody>;

/** Only the fields provided are changed; the two objects of parameters are replaced as wholes, `{}` clears. */
export const UpdateMachineBody = z.strictObject({
  name: ShortText.optional(),
  version: ShortText.optional(),
  hostname: ShortText.optional(),
  os_info: OsInfo.optional(),
  is_available: z.boolean().optional(),
  alerts_enabled: z.boolean().optional(),
  last_seen: Timestamp.optional(),
  reserved_session_id: Uuid.nullable()
    .optional()
    .describe("Null clears the reservation and makes the machine available."),
  machine_parameters: Parameters.optional(),
  machine_sensitive_parameters: SensitiveParameters.optional(),
  status: MachineStatus.optional().describe(
    "`error` takes the machine out of service, either of the others gives it back.",
  ),
});
export type UpdateMachineBody = z.infer<typeof UpdateMachineBody>;

export const MachineQuery = z.strictObject({ include: includeQuery("pools").optional() });

export const MachinesQuery = z.strictObject({
  ...pageQuery,
  include: includeQuery("pools").optional(),
  search: ShortText.optional(),
  name: ShortText.optional(),
  status: MachineStatus.optional(),
  ...createdQuery,
});
export type MachinesQuery = z.infer<typeof MachinesQuery>;

export const Pool = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  organization_id: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  description: z.string(),
  pool_parameters: z.record(z.string(), z.unknown()),
  pool_sensitive_parameters: z.record(z.string(), z.string()),
  machine_count: z.int().min(0),
});

/** Replaces all memberships of a machine. */
export const SetMachinePoolsBody = z.strictObject({ pool_ids: distinctUuids(0, 20) });

/** A related resource beside the one requested. */
export const IncludedPool = Pool.extend({ type: z.literal("pool") });

export const Machine = z.strictObject({
  id: z.uuid(),
  fingerprint: z
    .guid()
    .nullable()
    .describe("Null for a key without `write`: a driver identifies its machine by it."),
  key_service_key_id: z.string().describe("The API key that the machine is bound to."),
  status: MachineStatus,
  is_available: z.boolean(),
  alerts_enabled: z.boolean(),
  created_at: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  name: z.string(),
  version: z.string(),
  hostname: z.string(),
  os_info: z.string(),
  programs: z
    .array(z.string())
    .describe(
      "Names of the programs that its driver opens, from a file on the machine; empty where its driver names none.",
    ),
  machine_parameters: z.record(z.string(), z.unknown()),
  machine_sensitive_parameters: z
    .record(z.string(), z.string())
    .describe("Alias to alias: a secret's value never leaves the secret store."),
  user_id: z.guid(),
  organization_id: z.string(),
  reserved_session_id: z.guid().nullable(),
  linked_keepalive_machine_id: z
    .guid()
    .nullable()
    .describe("The machine that this one keeps alive, as its driver requested."),
  physical_server_id: z
    .string()
    .nullable()
    .describe("Host of the machine's WebSocket connection; null while it is not connected."),
  pools: z.array(Pool),
  included: z.array(IncludedPool).optional().describe("Present when `include` was given."),
});
export type Machine = z.infer<typeof Machine>;

export const MachineItem = Machine.omit({ included: true });
export const MachineList = listOf(MachineItem, IncludedPool);
export type MachineList = z.infer<typeof MachineList>;

/** Optional as a whole. */
export const ShutDownDriverBody = z
  .strictObject({
    source: ShortText.default("cloud-api"),
    reason: ShortText.default("user_disabled_machine"),
  })
  .prefault({});

export const DriverShutdown = z.strictObject({
  status: z.string(),
  pid: z.int(),
  reason: z.string(),
  source: z.string(),
});
export type DriverShutdown = z.infer<typeof DriverShutdown>;
