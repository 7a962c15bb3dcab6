import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SecretValues } from "../secret-store.ts";
import { type SecretReference, withSecrets, writeSecret } from "../secrets/own-secret.ts";
import type { Pool } from "./pool.ts";
import { type PoolDeps, poolNameTaken } from "./pool-deps.ts";

export interface CreatePoolInput
  extends Pick<Pool, "name">,
    Partial<Pick<Pool, "description" | "parameters">> {
  readonly sensitiveParameters?: SecretValues;
}

/**
 * A crash between the two writes leaves an unnamed secret, never a dangling name.
 *
 * @throws {DomainError} `name_taken`
 */
export async function createPool(
  deps: PoolDeps,
  caller: Caller,
  input: CreatePoolInput,
  idempotency?: Idempotency,
): Promise<Pool> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const values = input.sensitiveParameters ?? {};
  if (Object.keys(values).length === 0) {
    const id = idempotency?.ids[0] ?? deps.ids.uuid7();
    return store(deps, newPool(deps, organizationId, id, input), idempotency);
  }
  return withSecrets(deps, idempotency, async (leased, abandon) => {
    const [id, secretId] = leased?.ids ?? [deps.ids.uuid7(), deps.ids.uuid7()];
    const owner = { kind: "pool" as const, id };
    const secret = await writeSecret(deps, { organizationId, owner, id: secretId }, values);
    const pool = newPool(deps, organizationId, id, input, secret);
    return store(deps, pool, leased, () => abandon(secret.secretName));
  });
}

function newPool(
  deps: Pick<PoolDeps, "clock">,
  organizationId: OrganizationId,
  id: string,
  { name, description = "", parameters = {} }: CreatePoolInput,
  secret: SecretReference = { secretName: null, sensitiveAliases: [] },
): Pool {
  const createdAt = isoTimestamp(deps.clock.now());
  return {
    id,
    organizationId,
    name,
    description,
    parameters,
    ...secret,
    machineCount: 0,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
    revision: 1,
    edition: 0,
  };
}

async function store(
  deps: Pick<PoolDeps, "pools">,
  pool: Pool,
  idempotency: Idempotency | undefined,
  whenTaken?: () => void,
): Promise<Pool> {
  const outcome = await deps.pools.create(pool, idempotency);
  if (outcome.kind === "created") return pool;
  whenTaken?.();
  throw poolNameTaken(outcome.poolId);
}
