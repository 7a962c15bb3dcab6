import * as z from "zod";
import { createdQuery, includeQuery, listOf, pageQuery, Uuid } from "./fields/common.ts";
import { distinctUuids } from "./fields/distinct-uuids.ts";
import { Parameters, SensitiveParameters } from "./fields/parameters.ts";
import { queryBoolean } from "./fields/query-values.ts";
import { text } from "./fields/text.ts";
import { Machine, Pool } from "./machine.ts";

const PoolName = text(1, 255);
const Description = text(0, 1_000);

export const PoolPath = z.strictObject({ pool_id: Uuid });

export const CreatePoolBody = z.strictObject({
  /** Unique in the organization. */
  name: PoolName,
  /** @default "" */
  description: Description.optional(),
  pool_parameters: Parameters.optional(),
  pool_sensitive_parameters: SensitiveParameters.optional(),
});
export type CreatePoolBody = z.infer<typeof CreatePoolBody>;

/** Only the fields provided are changed; the two objects of parameters are replaced as wholes, `{}` clears. */
export const UpdatePoolBody = z.strictObject({
  name: PoolName.optional(),
  description: Description.optional(),
  pool_parameters: Parameters.optional(),
  pool_sensitive_parameters: SensitiveParameters.optional(),
});
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
  search: text(1, 255).optional(),
  ...createdQuery,
});
export type PoolsQuery = z.infer<typeof PoolsQuery>;

/** Members to add or remove, all or none: a transaction takes 49 of them. */
export const PoolMachinesBody = z.strictObject({ machine_ids: distinctUuids(1, 49) });

/** A related resource beside the one requested. */
export const IncludedMachine = Machine.omit({ included: true }).extend({ type: z.literal("machine") });
export type IncludedMachine = z.infer<typeof IncludedMachine>;

export const PoolDetail = Pool.extend({
  /** Its machines, newest first; present when `include` was given. */
  included: z.array(IncludedMachine).optional(),
  machines: z
    .array(Machine)
    .optional()
    .describe("Its machines, newest first; present when `include_machines` was given."),
});
export type PoolDetail = z.infer<typeof PoolDetail>;

export const PoolList = listOf(Pool, IncludedMachine);
export type PoolList = z.infer<typeof PoolList>;
