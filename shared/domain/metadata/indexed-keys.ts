import { indexedMetadataKeysMax } from "../../vocabulary/metadata.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { type Clock, isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import { overtaken, untilWritten } from "../until-written.ts";

/** A key of metadata by whose values the organization's runs are indexed. */
export interface IndexedKey {
  readonly name: string;
  /** The place in a run's row, 0 to 4. */
  readonly place: number;
  /** Every run created from then on is in the index; earlier ones need not be. */
  readonly indexedFrom: string;
}

export interface IndexedKeys {
  readonly organizationId: OrganizationId;
  readonly keys: readonly IndexedKey[];
  readonly revision: number;
}

export interface IndexedKeyStore {
  find(organizationId: OrganizationId): Promise<IndexedKeys | undefined>;
  /** Returns false when the keys have changed since they were read. @throws {AlreadyOnRecord} */
  replace(keys: IndexedKeys, before: IndexedKeys | undefined, idempotency?: Idempotency): Promise<boolean>;
}

export interface IndexedKeyDeps {
  readonly indexedKeys: IndexedKeyStore;
  readonly clock: Clock;
}

/** A run created this long after the keys were written has read them: a request takes 30 s, and clocks differ. */
const settledMs = 60_000;

/** @throws {DomainError} `insufficient_scope` */
export async function getIndexedKeys(
  { indexedKeys }: Pick<IndexedKeyDeps, "indexedKeys">,
  caller: Caller,
): Promise<readonly IndexedKey[]> {
  requireScope(caller, "read");
  return (await indexedKeys.find(caller.organizationId))?.keys ?? [];
}

/** Keys that stay keep their place, so that repeating the request changes nothing. @throws {DomainError} `insufficient_scope` */
export async function setIndexedKeys(
  deps: IndexedKeyDeps,
  caller: Caller,
  { names }: { readonly names: readonly string[] },
  idempotency?: Idempotency,
): Promise<readonly IndexedKey[]> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  return await untilWritten<IndexedKeys | undefined, readonly IndexedKey[]>(deps, {
    what: "the keys",
    read: () => deps.indexedKeys.find(organizationId),
    decide: async (before) => {
      const keys = placed(before?.keys ?? [], names, isoTimestamp(deps.clock.now() + settledMs));
      const next = { organizationId, keys, revision: (before?.revision ?? 0) + 1 };
      return (await deps.indexedKeys.replace(next, before, idempotency)) ? keys : overtaken;
    },
  });
}

function placed(
  before: readonly IndexedKey[],
  names: readonly string[],
  indexedFrom: string,
): readonly IndexedKey[] {
  const kept = before.filter(({ name }) => names.includes(name));
  const free = Array.from({ length: indexedMetadataKeysMax }, (_, place) => place).filter(
    (place) => !kept.some((key) => key.place === place),
  );
  return names.flatMap((name) => {
    const own = kept.find((key) => key.name === name);
    if (own !== undefined) return [own];
    const place = free.shift();
    return place === undefined ? [] : [{ name, place, indexedFrom }];
  });
}
