import * as z from "zod";
import { machineStatuses, poolsOfMachineMax } from "../vocabulary/machines.ts";
import {
  afterQuery,
  createdQuery,
  includeQuery,
  listOf,
  OrganizationId,
  pageQuery,
  refuseSkipBesideAfter,
  skipOrAfter,
  Timestamp,
  Uuid,
} from "./fields/common.ts";
import { distinctUuids } from "./fields/distinct-uuids.ts";
import { example } from "./fields/example.ts";
import { metadataFields } from "./fields/metadata.ts";
import { Parameters, SensitiveParameters } from "./fields/parameters.ts";
import { anyOf } from "./fields/query-values.ts";
import { name, text } from "./fields/text.ts";
import { MachineHeld } from "./held.ts";

const ShortText = name(1, 255);
const OsInfo = name(1, 1024);

export const MachineStatus = z
  .enum(machineStatuses)
  .describe(
    "The state of a machine: `connected` or `disconnected` as its driver is, or `error` while it is out of service.",
  );

export const CreateMachineBody = z
  .strictObject({
    fingerprint: Uuid.describe("UUID of the driver's installation; unique in the organization."),
    name: example(ShortText.optional(), "Front desk").describe(
      "The machine's name, for people. Default: empty.",
    ),
    version: ShortText.optional().describe("The version of the machine's driver. Default: empty."),
    hostname: ShortText.optional().describe("The machine's name in its network. Default: empty."),
    os_info: OsInfo.optional().describe("The machine's operating system. Default: empty."),
    machine_parameters: Parameters.optional().describe("Inputs of every run on the machine, by name."),
    machine_sensitive_parameters: SensitiveParameters.optional().describe(
      "Secret inputs of every run on the machine, by alias; they are never returned.",
    ),
    metadata: metadataFields.created,
  })
  .describe("A machine whose driver has not connected yet.");
export type CreateMachineBody = z.infer<typeof CreateMachineBody>;

export const UpdateMachineBody = z
  .strictObject({
    name: ShortText.optional().describe("The machine's new name, for people."),
    version: ShortText.optional().describe("The version of the machine's driver."),
    hostname: ShortText.optional().describe("The machine's name in its network."),
    os_info: OsInfo.optional().describe("The machine's operating system."),
    is_available: z
      .boolean()
      .optional()
      .describe(
        "Whether the machine takes new runs; a running one is left alone. False is refused beside `reserved_session_id` null, which makes the machine available.",
      ),
    alerts_enabled: z
      .boolean()
      .optional()
      .describe("Whether the machine's user wants to be told of its events."),
    last_seen: Timestamp.optional().describe("Time at which the machine was last heard of."),
    reserved_session_id: Uuid.nullable()
      .optional()
      .describe("The session to reserve the machine for; null clears the reservation."),
    machine_parameters: Parameters.optional().describe(
      "Inputs of every run on the machine, by name; replaced as a whole.",
    ),
    machine_sensitive_parameters: SensitiveParameters.optional().describe(
      "Secret inputs of every run on the machine, by alias; replaced as a whole, and never returned.",
    ),
    metadata: metadataFields.changed,
    status: MachineStatus.optional().describe(
      "The machine's status: `error` takes it out of service, either of the others gives it back.",
    ),
  })
  .describe(
    "Changes of a machine: only the fields provided are changed. Each object of parameters is replaced as a whole, and `{}` clears it.",
  );
export type UpdateMachineBody = z.infer<typeof UpdateMachineBody>;

export const MachineQuery = z.strictObject({ include: includeQuery("pools").optional() });

export const MachinesQuery = z
  .strictObject({
    ...pageQuery,
    ...afterQuery,
    include: includeQuery("pools").optional(),
    search: example(text(1, 255).optional(), "front").describe(
      "Only machines with this text in their id, name or hostname are listed, ignoring case.",
    ),
    name: text(1, 255).optional().describe("Only machines with exactly this name are listed."),
    status: anyOf(MachineStatus, "Only machines with this status are listed."),
    metadata: metadataFields.query,
    ...createdQuery,
  })
  .superRefine(refuseSkipBesideAfter)
  .meta({ says: [skipOrAfter] });
export type MachinesQuery = z.infer<typeof MachinesQuery>;

export const Pool = z
  .strictObject({
    id: z.uuid().describe("The pool's id."),
    name: example(z.string(), "Accounting").describe("The pool's name, unique in the organization."),
    organization_id: OrganizationId.describe("The organization that the pool belongs to."),
    created_at: z.iso.datetime().describe("Time at which the pool was created."),
    updated_at: z.iso.datetime().describe("Time at which the pool was last changed."),
    description: z.string().describe("The pool's purpose, for people."),
    pool_parameters: example(z.record(z.string(), z.unknown()), { currency: "EUR" }).describe(
      "Inputs, by name, of the runs that name the pool.",
    ),
    pool_sensitive_parameters: example(z.record(z.string(), z.string()), { password: "password" }).describe(
      "Aliases of the secret inputs of runs that name the pool, each mapped to itself; values are never returned.",
    ),
    machine_count: z.int().min(0).describe("Number of machines in the pool."),
  })
  .describe("A named group of machines.");

export const SetMachinePoolsBody = z
  .strictObject({
    pool_ids: distinctUuids(0, poolsOfMachineMax).describe(
      "The pools that the machine is to be in; it leaves all others.",
    ),
  })
  .describe("The new pools of a machine, in place of those that it is in.");

export const IncludedPool = Pool.extend({
  type: z.literal("pool").describe("The constant `pool`, which tells included resources apart."),
}).describe("A pool beside the resource requested.");

export const Machine = z
  .strictObject({
    id: z.uuid().describe("The machine's id."),
    fingerprint: z
      .guid()
      .nullable()
      .describe(
        "UUID of the driver's installation; null for a key without `write`, since a driver identifies its machine by it.",
      ),
    key_service_key_id: example(z.string(), "key_8d1c40").describe(
      "The id of the API key that the machine is bound to.",
    ),
    status: MachineStatus.describe("The machine's status; `error` means that it is out of service."),
    is_available: z.boolean().describe("Whether the machine takes new runs."),
    alerts_enabled: z.boolean().describe("Whether the machine's user wants to be told of its events."),
    created_at: z.iso.datetime().describe("Time at which the machine was created."),
    last_seen: z.iso
      .datetime()
      .describe("Time at which the machine was last heard of, to about half an hour."),
    name: example(z.string(), "Front desk").describe("The machine's name, for people."),
    version: example(z.string(), "1.0.0").describe(
      "The version of the machine's driver; empty while it is unknown.",
    ),
    hostname: example(z.string(), "desk-17").describe(
      "The machine's name in its network; empty while it is unknown.",
    ),
    os_info: example(z.string(), "Ubuntu 24.04").describe(
      "The machine's operating system; empty while it is unknown.",
    ),
    programs: example(z.array(z.string()), ["Orders"]).describe(
      "Names of the programs that the driver can open, from a file on the machine; empty if the driver names none.",
    ),
    machine_parameters: example(z.record(z.string(), z.unknown()), { counter: 3 }).describe(
      "Inputs, by name, that every run on the machine gets.",
    ),
    machine_sensitive_parameters: example(z.record(z.string(), z.string()), { pin: "pin" }).describe(
      "Aliases of the secret inputs that every run on the machine gets, each mapped to itself; values never leave the secret store.",
    ),
    metadata: metadataFields.answered,
    user_id: z.guid().describe("The user whose API key or session created the machine."),
    organization_id: OrganizationId.describe("The organization that the machine belongs to."),
    reserved_session_id: z
      .guid()
      .nullable()
      .describe("The session that the machine is reserved for; null while there is none."),
    linked_keepalive_machine_id: z
      .guid()
      .nullable()
      .describe("The machine that this one keeps alive, as its driver requested; null if there is none."),
    physical_server_id: example(z.string().nullable(), "a1b2c3d4e5-eu-central-1-live").describe(
      "The host of the machine's WebSocket connection; null while the machine is not connected.",
    ),
    held: example(MachineHeld.nullable(), null).describe(
      "The hold of the machine, while a person drives a desktop whose run stands still, or records; null otherwise.",
    ),
    pools: z.array(Pool).describe("The pools that the machine is in."),
    included: z
      .array(IncludedPool)
      .optional()
      .describe("The machine's pools; present when `include` names them."),
  })
  .describe("A desktop that is connected to the service through a driver.");
export type Machine = z.infer<typeof Machine>;

export const MachineItem = Machine.omit({ included: true }).describe("A machine in a list.");
export const MachineList = listOf(MachineItem, IncludedPool).describe("A page of machines, newest first.");
export type MachineList = z.infer<typeof MachineList>;

export const ShutDownDriverBody = z
  .strictObject({
    source: ShortText.default("cloud-api").describe("The requesting program, for the driver's log."),
    reason: ShortText.default("user_disabled_machine").describe("The reason, for the driver's log."),
  })
  .prefault({})
  .describe("The source of a driver's shutdown and the reason for it; the body may be left out.");

export const DriverShutdown = z
  .strictObject({
    status: example(z.string(), "shutting_down").describe(
      "The state of the shutdown: `shutting_down` at first, `already_shutting_down` when it is asked for again.",
    ),
    pid: z.int().describe("The id of the driver's process."),
    reason: example(z.string(), "user_disabled_machine").describe(
      "The reason for the shutdown, as it was given.",
    ),
    source: example(z.string(), "cloud-api").describe(
      "The program that asked for the shutdown, as it was given.",
    ),
  })
  .describe("The driver's response to the request to shut down.");
export type DriverShutdown = z.infer<typeof DriverShutdown>;
