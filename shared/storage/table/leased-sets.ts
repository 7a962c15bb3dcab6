import { allOf, type Change, type Condition, hasValue } from "./expression.ts";
import type { Item } from "./item.ts";

/** Each element of a row's sets has a lease beside them, so one write takes a place in several sets. */
export function leaseAttribute(element: string): string {
  return `until_${element}`;
}

export function leaseOf(item: Item | undefined, element: string): number {
  return Number(item?.[leaseAttribute(element)] ?? 0);
}

/** More of them would make the expression too long; the next write removes others. */
const removedAtOnce = 25;

/**
 * Removes the elements whose leases have ended from all sets, unless a lease was extended since the row was read. Returns
 * undefined when there are none.
 */
export function withoutEnded(
  item: Item | undefined,
  nowMs: number,
): { readonly change: Change; readonly condition: Condition } | undefined {
  const sets = Object.entries(item ?? {}).filter(([, value]) => value instanceof Set) as [
    string,
    ReadonlySet<string>,
  ][];
  const elements = [...new Set(sets.flatMap(([, set]) => [...set]))];
  const ended = elements.filter((element) => leaseOf(item, element) < nowMs).slice(0, removedAtOnce);
  if (item === undefined || ended.length === 0) return undefined;
  const leases = ended.map(leaseAttribute);
  const asRead = leases.map((lease) => hasValue(lease, lease in item ? Number(item[lease]) : null));
  return {
    change: { delete: Object.fromEntries(sets.map(([name]) => [name, new Set(ended)])), remove: leases },
    condition: allOf(...asRead),
  };
}
