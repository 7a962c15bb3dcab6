import type { SeatedViewer, ViewerPlace } from "../../domain/live/viewer.ts";
import { createdAttributes, dueRow, filterPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { viewerKey, viewerSocketKey } from "../table/keys.ts";
import { number, orNull, row, tenant, text, texts } from "../table/row.ts";

const placeFields = { id: text, organizationId: tenant, websocketId: text, place: number } as const;

export const viewerRow = row<SeatedViewer>("viewer", {
  ...placeFields,
  principal: text,
  keyId: orNull(text),
  topics: texts,
  openedAt: text,
  toldFromMs: number,
  endsAtMs: number,
});

export const viewerSocketRow = row<ViewerPlace>("viewer_socket", placeFields);

const keptSeconds = 24 * 3_600;

export function viewerItem(viewer: SeatedViewer): Item & Key {
  const { organizationId, place, id, openedAt, keyId, endsAtMs } = viewer;
  const filter3 = keyId === null ? undefined : filterPartitions.viewersByKey(keyId);
  return {
    ...viewerKey(organizationId, place),
    ...viewerRow.write(viewer),
    ...createdAttributes({ id, createdAt: openedAt }, { filter3 }),
    ...dueRow("OPEN#VIEWER", id, endsAtMs),
    ttl: ttlOf(viewer),
  };
}

export function viewerSocketItem(viewer: SeatedViewer): Item & Key {
  const { id, organizationId, websocketId, place } = viewer;
  return {
    ...viewerSocketKey(websocketId),
    ...viewerSocketRow.write({ id, organizationId, websocketId, place }),
    ttl: ttlOf(viewer),
  };
}

function ttlOf({ endsAtMs }: SeatedViewer): number {
  return Math.ceil(endsAtMs / 1_000) + keptSeconds;
}
