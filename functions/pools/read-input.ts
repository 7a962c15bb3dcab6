import type { CreatePoolBody, PoolsQuery, UpdatePoolBody } from "../../shared/contract/pool.ts";
import type { CreatePoolInput } from "../../shared/domain/pool/create-pool.ts";
import type { PoolFilter } from "../../shared/domain/pool/pool-store.ts";
import type { UpdatePoolInput } from "../../shared/domain/pool/update-pool.ts";

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Drops fields that were not sent, so that absent and undefined cannot differ. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

export function createInput(body: CreatePoolBody): CreatePoolInput {
  return {
    name: body.name,
    ...given({
      description: body.description,
      parameters: body.pool_parameters,
      sensitiveParameters: body.pool_sensitive_parameters,
    }),
  };
}

export function updateInput(poolId: string, body: UpdatePoolBody): UpdatePoolInput {
  return {
    poolId,
    ...given({
      name: body.name,
      description: body.description,
      parameters: body.pool_parameters,
      sensitiveParameters: body.pool_sensitive_parameters,
    }),
  };
}

export function poolFilter(query: PoolsQuery): PoolFilter {
  return given({
    search: query.search,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
  });
}
