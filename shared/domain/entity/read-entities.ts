import { type Caller, requireScope } from "../access/caller.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Page, PageRequest } from "../page.ts";
import type { EntityStore } from "./entity-store.ts";
import { type Noun, required } from "./not-found.ts";

/** @throws {DomainError} `insufficient_scope` or `not_found` */
export async function getEntity<Entity>(
  store: Pick<EntityStore<Entity>, "find">,
  caller: Caller,
  noun: Noun,
  id: string,
): Promise<Entity> {
  requireScope(caller, "read");
  return required(await store.find(caller.organizationId, id), noun, id);
}

interface ListedStore<Entity, Filter> {
  list(organizationId: OrganizationId, filter: Filter, page: PageRequest): Promise<Page<Entity>>;
}

/** @throws {DomainError} `insufficient_scope`, or `search_too_broad` of the store */
export async function getPage<Entity, Filter>(
  store: ListedStore<Entity, Filter>,
  caller: Caller,
  filter: Filter,
  page: PageRequest,
): Promise<Page<Entity>> {
  requireScope(caller, "read");
  return await store.list(caller.organizationId, filter, page);
}
