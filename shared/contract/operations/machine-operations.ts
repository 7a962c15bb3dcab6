import * as z from "zod";
import {
  CreateMachineBody,
  DriverShutdown,
  Machine,
  MachineList,
  MachineQuery,
  MachinesQuery,
  Pool,
  SetMachinePoolsBody,
  ShutDownDriverBody,
  UpdateMachineBody,
} from "../machine.ts";
import { defineOperations, deleted, editing, reading, writing } from "./operation.ts";

const pools = z.array(Pool);

export const machineOperations = defineOperations("Machines", [
  {
    ...reading,
    id: "listMachines",
    path: "/v1/machines",
    summary: "Lists machines",
    description:
      "The list is sorted newest first. `search` is a substring of id, name or hostname, whatever the case; `name` is the whole name. A search, and a filter by `metadata`, read at most 10,000 machines.",
    query: MachinesQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: MachineList } },
  },
  {
    ...writing("POST"),
    id: "createMachine",
    isTagged: true,
    writes: "machine",
    path: "/v1/machines",
    summary: "Creates a machine ahead of its driver's first connection",
    description:
      "A driver that connects with an unknown fingerprint makes its machine by itself; this is for those who want parameters in place before. Values of sensitive parameters go to a secret store; only their aliases are ever returned.",
    body: CreateMachineBody,
    example: {
      fingerprint: "0f4c1a52-6d0e-4b7c-9a51-1f3a5d2c7b90",
      name: "Front desk",
      machine_parameters: { site: "Lisbon" },
      machine_sensitive_parameters: { pin: "<SECRET>" },
    },
    responses: { 201: { description: "The machine.", schema: Machine } },
    refusals: { 409: "`fingerprint_taken`: the organization has a machine with this fingerprint." },
  },
  {
    ...reading,
    id: "getMachine",
    isTagged: true,
    path: "/v1/machines/{machine_id}",
    summary: "Reads one machine",
    query: MachineQuery,
    responses: { 200: { description: "The machine.", schema: Machine } },
  },
  {
    ...editing("PATCH"),
    id: "updateMachine",
    isTagged: true,
    writes: "machine",
    path: "/v1/machines/{machine_id}",
    summary: "Updates a machine",
    description:
      "Only the fields provided are changed. The two objects of parameters are replaced as wholes; {} clears them. `reserved_session_id` null clears the reservation: any scheduling or running run of the machine is cancelled, the machine is available, and matching is triggered; the response comes when all of that is done, and the same request goes on after a 503 (412 meanwhile: somebody has edited the machine, and the clearing goes on without the other changes). A session's id reserves the machine for it, so that nothing else runs there; a new UUID makes a session. `is_available` false and `status` error keep new runs away and leave the running one alone; `status` error takes the machine out of service, either of the others gives it back, and the response shows the true one.",
    body: UpdateMachineBody,
    example: { name: "Front desk 2", is_available: false },
    responses: { 200: { description: "The machine.", schema: Machine } },
    refusals: {
      409: "`machine_reserved`: it is reserved for another session. `session_ended`: the session named has. `conflict`: that session has, or waits for, another machine.",
    },
  },
  {
    ...editing("DELETE"),
    id: "deleteMachine",
    writes: "machine",
    path: "/v1/machines/{machine_id}",
    summary: "Deletes a machine",
    description:
      "The machine is gone at once for every reader; its connection, its secrets and the rest are ended in the background; its running run, and those that wait for it, end as `error`. A driver that connects again with the same fingerprint makes a new machine.",
    responses: deleted,
  },
  {
    ...reading,
    id: "listMachinePools",
    path: "/v1/machines/{machine_id}/pools",
    summary: "Lists the pools that a machine is in",
    responses: { 200: { description: "The pools.", schema: pools } },
  },
  {
    ...editing("PUT"),
    id: "setMachinePools",
    writes: "machine",
    path: "/v1/machines/{machine_id}/pools",
    summary: "Replaces all memberships of a machine",
    description: "The machine gets all of the pools or none; 404 names a pool that is not there.",
    body: SetMachinePoolsBody,
    example: { pool_ids: [] },
    responses: { 200: { description: "The machine, with the pools that it is in now.", schema: Machine } },
  },
  {
    ...writing("POST"),
    id: "resetMachineSecret",
    writes: "machine",
    path: "/v1/machines/{machine_id}/reset-secret",
    summary: "Lets the next driver in without the machine's own secret",
    description:
      "This is for a desktop that was reinstalled: its driver has the key, but neither file of the old one. The next driver with the machine's key and fingerprint becomes the machine, and gets a new secret. When somebody was connected then, `machine.superseded` says whence both came.",
    responses: { 200: { description: "The machine.", schema: Machine } },
  },
  {
    ...writing("POST"),
    id: "shutDownDriver",
    path: "/v1/machines/{machine_id}/driver/shutdown",
    idempotency: "leased",
    summary: "Asks a machine's driver to shut down",
    description:
      "The request goes through the tunnel. The driver responds first and ends its process 250 ms later.",
    body: ShutDownDriverBody,
    isTunnelled: true,
    example: { source: "cloud-api", reason: "user_disabled_machine" },
    responses: {
      200: {
        description: "`shutting_down` first, `already_shutting_down` after, with the process id.",
        schema: DriverShutdown,
      },
    },
    refusals: {
      409: "`machine_not_connected`, `not_supported_by_driver`: nothing was done.",
      502: "The driver failed: `driver_connection_lost` or `driver_failed`.",
      504: "The driver did not respond in time: `driver_timeout` or `outcome_unknown`.",
    },
  },
]);
