import * as z from "zod";
import { createdQuery, includeQuery, listOf, pageQuery } from "./fields/common.ts";
import { distinctUuids } from "./fields/distinct-uuids.ts";
import { example } from "./fields/example.ts";
import { Parameters, SensitiveParameters } from "./fields/parameters.ts";
import { queryBoolean } from "./fields/query-values.ts";
import { name, text } from "./fields/text.ts";
import { Machine, Pool } from "./machine.ts";

const PoolName = name(1, 255);
const Description = text(0, 1_000);

export const CreatePoolBody = z
  .strictObject({
    name: PoolName.describe("The pool's name; unique in the organization."),
    description: Description.optional().describe("The pool's purpose, for people. Default: empty."),
    pool_parameters: Parameters.optional().describe("Inputs, by name, of the runs that name the pool."),
    pool_sensitive_parameters: SensitiveParameters.optional().describe(
      "Secret inputs, by alias, of the runs that name the pool; they are never returned.",
    ),
  })
  .describe("A named group of machines to create, with the inputs that its runs get.");
export type CreatePoolBody = z.infer<typeof CreatePoolBody>;

export const UpdatePoolBody = z
  .strictObject({
    name: PoolName.optional().describe("The pool's new name; unique in the organization."),
    description: Description.optional().describe("The pool's new purpose, for people."),
    pool_parameters: Parameters.optional().describe(
      "Inputs, by name, of the runs that name the pool; replaced as a whole.",
    ),
    pool_sensitive_parameters: SensitiveParameters.optional().describe(
      "Secret inputs, by alias, of the runs that name the pool; replaced as a whole, and never returned.",
    ),
  })
  .describe(
    "Changes of a pool: only the fields provided are changed. Each object of parameters is replaced as a whole, and `{}` clears it.",
  );
export type UpdatePoolBody = z.infer<typeof UpdatePoolBody>;

const include = includeQuery("machines").optional();

export const PoolQuery = z.strictObject({
  include,
  include_machines: queryBoolean
    .default(false)
    .describe("Whether the pool has its `machines`, newest first."),
});

export const PoolsQuery = z.strictObject({
  ...pageQuery,
  include,
  search: example(text(1, 255).optional(), "front").describe(
    "Only pools with this text in their id, name or description are listed, ignoring case.",
  ),
  ...createdQuery,
});
export type PoolsQuery = z.infer<typeof PoolsQuery>;

export const PoolMachinesBody = z
  .strictObject({
    machine_ids: distinctUuids(1, 49).describe("The machines to add or to remove, all of them or none."),
  })
  .describe("Machines to add to a pool or to remove from it.");

export const IncludedMachine = Machine.omit({ included: true })
  .extend({
    type: z.literal("machine").describe("The constant `machine`, which tells included resources apart."),
  })
  .describe("A machine beside the resource requested.");
export type IncludedMachine = z.infer<typeof IncludedMachine>;

export const PoolDetail = Pool.extend({
  included: z
    .array(IncludedMachine)
    .optional()
    .describe("The pool's machines, newest first; present when `include` names them."),
  machines: z
    .array(Machine)
    .optional()
    .describe("The pool's machines, newest first; present when `include_machines` is true."),
}).describe("A pool, with its machines when they are asked for.");
export type PoolDetail = z.infer<typeof PoolDetail>;

export const PoolList = listOf(Pool, IncludedMachine).describe("A page of pools, newest first.");
export type PoolList = z.infer<typeof PoolList>;
