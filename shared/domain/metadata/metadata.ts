import { metadataPairsMax } from "../../vocabulary/metadata.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";

/** A customer's own pairs, which lists filter by. */
export type Metadata = Readonly<Record<string, string>>;

/** Null removes a pair; in place of the object it removes all. */
export type MetadataChange = Readonly<Record<string, string | null>> | null;

/** Repeating the change changes nothing. @throws {InvalidInput} for more than 20 pairs. */
export function changedMetadata(before: Metadata, change: MetadataChange): Metadata {
  if (change === null) return {};
  const pairs = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) pairs.delete(key);
    else pairs.set(key, value);
  }
  if (pairs.size > metadataPairsMax) {
    const error = `with the pairs that are there at most ${metadataPairsMax}, not ${pairs.size}`;
    throw new InvalidInput([valueError(["body", "metadata"], error)]);
  }
  return Object.fromEntries(pairs);
}

export function hasPairs(metadata: Metadata, wanted: Metadata): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(metadata, key) && metadata[key] === value,
  );
}
