import type * as z from "zod";
import type { IncludedPool, Pool as WirePool } from "../contract/machine.ts";
import type { Pool } from "../domain/pool/pool.ts";

/** Names every field, so that nothing else leaves. */
export function presentPool(pool: Pool): z.infer<typeof WirePool> {
  return {
    id: pool.id,
    name: pool.name,
    organization_id: pool.organizationId,
    created_at: pool.createdAt,
    updated_at: pool.updatedAt,
    description: pool.description,
    pool_parameters: { ...pool.parameters },
    // Own properties whatever the names, so that one called `__proto__` is one of them.
    pool_sensitive_parameters: Object.fromEntries(pool.sensitiveAliases.map((alias) => [alias, alias])),
    machine_count: pool.machineCount,
  };
}

/** As a related resource beside the one that was asked for. */
export function presentIncludedPool(pool: Pool): z.infer<typeof IncludedPool> {
  return { type: "pool", ...presentPool(pool) };
}
