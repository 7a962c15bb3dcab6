import { Pool } from "../machine.ts";
import {
  CreatePoolBody,
  PoolDetail,
  PoolList,
  PoolMachinesBody,
  PoolQuery,
  PoolsQuery,
  UpdatePoolBody,
} from "../pool.ts";
import { defineOperations, deleted, editing, reading, writing } from "./operation.ts";

const nameTaken = "`name_taken`: the organization has a pool of this name.";

export const poolOperations = defineOperations("Pools", [
  {
    ...reading,
    id: "listPools",
    path: "/v1/pools",
    summary: "Lists pools",
    description:
      "The list is sorted newest first. `search` is a substring of id, name or description, whatever the case. A search reads at most 10,000 pools. `include=machines` adds the machines of all, each once.",
    query: PoolsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: PoolList } },
    refusals: { 413: "The page and its machines have more than 5 MB: lower `limit`." },
  },
  {
    ...writing("POST"),
    id: "createPool",
    isTagged: true,
    writes: "pool",
    path: "/v1/pools",
    summary: "Creates a pool",
    description:
      "The pool has no machines at first. Values of sensitive parameters go to a secret store; only their aliases are ever returned.",
    body: CreatePoolBody,
    example: {
      name: "Front desks",
      description: "Those by the door",
      pool_parameters: { site: "Lisbon" },
      pool_sensitive_parameters: { pin: "<SECRET>" },
    },
    responses: { 201: { description: "The pool.", schema: Pool } },
    refusals: { 409: nameTaken },
  },
  {
    ...reading,
    id: "getPool",
    isTagged: true,
    path: "/v1/pools/{pool_id}",
    summary: "Reads one pool",
    description:
      "Its machines, newest first, are in `machines` with `include_machines`, in `included` with `include=machines`.",
    query: PoolQuery,
    responses: { 200: { description: "The pool.", schema: PoolDetail } },
  },
  {
    ...editing("PATCH"),
    id: "updatePool",
    isTagged: true,
    writes: "pool",
    path: "/v1/pools/{pool_id}",
    summary: "Updates a pool",
    description:
      "Only the fields provided are changed. The two objects of parameters are replaced as wholes; {} clears them.",
    body: UpdatePoolBody,
    example: { name: "Front desks 2" },
    responses: { 200: { description: "The pool.", schema: Pool } },
    refusals: { 409: nameTaken },
  },
  {
    ...editing("DELETE"),
    id: "deletePool",
    writes: "pool",
    path: "/v1/pools/{pool_id}",
    summary: "Deletes a pool",
    description:
      "The pool is gone at once for every reader, and its name is free; its memberships and secrets are ended in the background, and runs that wait for it end as `error`. The machines in the pool are not deleted.",
    responses: deleted,
  },
  {
    ...editing("POST"),
    id: "addMachinesToPool",
    writes: "pool",
    path: "/v1/pools/{pool_id}/machines",
    summary: "Adds machines to a pool",
    description:
      "The pool gets all of the machines or none; who is a member already stays one, and 404 names a machine that is not there. A machine can be in 20 pools.",
    body: PoolMachinesBody,
    example: { machine_ids: ["0192f0c1-2d3e-7f4a-8b5c-6d7e8f901234"] },
    responses: {
      200: {
        description: "The pool, with all its machines in `machines`, and in `included`.",
        schema: PoolDetail,
      },
    },
    refusals: { 409: "`too_many_pools`: a machine is in 20 pools already; nobody was added." },
  },
  {
    ...editing("DELETE"),
    id: "removeMachinesFromPool",
    writes: "pool",
    path: "/v1/pools/{pool_id}/machines",
    summary: "Removes machines from a pool",
    description: "The pool loses all of the machines or none; who is no member is no error.",
    body: PoolMachinesBody,
    example: { machine_ids: ["0192f0c1-2d3e-7f4a-8b5c-6d7e8f901234"] },
    responses: { 204: { description: "None of the machines is in the pool." } },
  },
]);
