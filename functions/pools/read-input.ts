import type { CreatePoolBody, PoolsQuery, UpdatePoolBody } from "../../shared/contract/pool.ts";
import type { CreatePoolInput } from "../../shared/domain/pool/create-pool.ts";
import type { PoolFilter } from "../../shared/domain/pool/pool-store.ts";
import type { UpdatePoolInput } from "../../shared/domain/pool/update-pool.ts";
import { given } from "../../shared/http/request/given.ts";

export function createInput(body: CreatePoolBody): CreatePoolInput {
  return { ...settings(body), name: body.name };
}

export function updateInput(poolId: string, body: UpdatePoolBody): UpdatePoolInput {
  return { ...settings(body), poolId };
}

function settings({ pool_parameters, pool_sensitive_parameters, ...fields }: UpdatePoolBody) {
  return given({ ...fields, parameters: pool_parameters, sensitiveParameters: pool_sensitive_parameters });
}

export function poolFilter(query: PoolsQuery): PoolFilter {
  return given({
    search: query.search,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
  });
}
