import type * as z from "zod";
import type { IncludedPool, Pool as WirePool } from "../contract/machine.ts";
import type { Pool } from "../domain/pool/pool.ts";

export function presentPool(pool: Pool): z.infer<typeof WirePool> {
  return {
    id: pool.id,
    name: pool.name,
    organization_id: pool.organizationId,
    created_at: pool.createdAt,
    updated_at: pool.updatedAt,
    description: pool.description,
    pool_parameters: { ...pool.parameters },
    // Creates own properties under any name, even `__proto__`.
    pool_sensitive_parameters: Object.fromEntries(pool.sensitiveAliases.map((alias) => [alias, alias])),
    machine_count: pool.machineCount,
  };
}

export function presentIncludedPool(pool: Pool): z.infer<typeof IncludedPool> {
  return { type: "pool", ...presentPool(pool) };
}
