import type { FileStore } from "./file-store.ts";
import type { Json } from "./json.ts";
import type { OrganizationId } from "./organization-id.ts";

/** A heavy field, which is inline when small, and otherwise in the bucket under a fresh name. */
export type Spilled =
  | { readonly kind: "inline"; readonly value: Json }
  | { readonly kind: "object"; readonly key: string; readonly bytes: number; readonly head: string };

/** The largest JSON stored inline, in bytes, because items must stay far below 300 KB. */
export const inlineBytesMax = 8_192;

/** The beginning of a spilled text stays in the item for searches. */
const headLength = 4_096;

export interface SpillDeps {
  readonly files: Pick<FileStore, "spillKey" | "put" | "get" | "remove">;
}

export interface UnspillDeps {
  readonly files: Pick<FileStore, "get">;
}

export interface SpillPlace {
  readonly organizationId: OrganizationId;
  readonly kind: string;
  readonly id: string;
  readonly field: string;
  /** An object is written once and never changed, so the id is fresh, or from the lease. */
  readonly objectId: string;
}

/** Writes large values to the bucket, before the item names them. */
export async function spill(deps: SpillDeps, place: SpillPlace, value: Json): Promise<Spilled> {
  const text = JSON.stringify(value);
  const body = new TextEncoder().encode(text);
  if (body.length <= inlineBytesMax) return { kind: "inline", value };
  const key = deps.files.spillKey(place.organizationId, place.kind, place.id, place.field, place.objectId);
  await deps.files.put(key, body, "application/json");
  return { kind: "object", key, bytes: body.length, head: text.slice(0, headLength).toWellFormed() };
}

/** Returns null when the field's object is gone because a later write replaced it. */
export async function unspill(deps: UnspillDeps, spilled: Spilled | null): Promise<Json> {
  if (spilled?.kind === "inline") return spilled.value;
  const text = await unspillText(deps, spilled);
  return text === undefined ? null : (JSON.parse(text) as Json);
}

export async function unspillText(deps: UnspillDeps, spilled: Spilled | null): Promise<string | undefined> {
  if (spilled === null) return undefined;
  if (spilled.kind === "inline") return JSON.stringify(spilled.value);
  const body = await deps.files.get(spilled.key, spilled.bytes);
  return body && new TextDecoder().decode(body);
}

/** Fields in the item are small, and not counted. */
export function bytesInBucket(fields: readonly (Spilled | null)[]): number {
  return fields.reduce((sum, field) => sum + (field?.kind === "object" ? field.bytes : 0), 0);
}

export async function removeSpilled(deps: SpillDeps, fields: readonly (Spilled | null)[]): Promise<void> {
  for (const field of fields) if (field?.kind === "object") await deps.files.remove(field.key);
}
