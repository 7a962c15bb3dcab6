import { hashOf } from "../../domain/hash-of.ts";
import {
  type SeatedViewer,
  type Viewer,
  type ViewerPlace,
  viewersRememberedMs,
} from "../../domain/live/viewer.ts";
import type { HeardViewer, ViewerStore } from "../../domain/live/viewer-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { overtaken, untilWritten } from "../../domain/until-written.ts";
import { viewersMax } from "../../vocabulary/live.ts";
import { FrameCounter } from "../connection/frame-counter.ts";
import { remember } from "../connection/remember.ts";
import { readDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { hasValue, isNew, put } from "../table/expression.ts";
import { filterPartitions } from "../table/index-keys.ts";
import { viewerKey, viewerPartition, viewerRange, viewerSocketKey } from "../table/keys.ts";
import { queryItems, queryKeys } from "../table/query.ts";
import { viewerItem, viewerRow, viewerSocketItem, viewerSocketRow } from "./viewer-item.ts";

/** The clocks of two instances differ by less than half a second. */
const tellingMs = viewersRememberedMs + 500;

const places = [...Array(viewersMax).keys()];

export class DynamoViewerStore extends DynamoStore<StoreDeps> implements ViewerStore {
  /** A socket's row never changes. */
  readonly #sockets = new Map<string, ViewerPlace>();
  readonly #frames = new FrameCounter(this.table);

  async open(viewer: Omit<Viewer, "toldFromMs">): Promise<SeatedViewer | undefined> {
    const { organizationId, id, websocketId } = viewer;
    const seated = await untilWritten(this.table.pacing, {
      what: "the organization's viewers",
      read: async () => await this.list(organizationId),
      decide: async (others) => {
        const taken = new Set(others.map(({ place }) => place));
        const free = places.filter((place) => !taken.has(place));
        // Viewers that connect at once seldom choose the same place.
        const place = free[(hashOf(id) >>> 0) % Math.max(1, free.length)];
        if (place === undefined) return undefined;
        const nowMs = this.deps.clock.now();
        const isKnown = others.some(({ openedAt }) => Date.parse(openedAt) <= nowMs - tellingMs);
        const toldFromMs = isKnown ? nowMs : nowMs + tellingMs;
        const chosen: SeatedViewer = { ...viewer, toldFromMs, place };
        const isFree = {
          expression: "attribute_not_exists(pk) OR ends_at_ms <= :now",
          values: { now: nowMs },
        };
        const { failed } = await this.table.transact({
          viewer: put(viewerItem(chosen), isFree),
          socket: put(viewerSocketItem(chosen), isNew),
        });
        if (failed === "socket") throw new Error("another viewer has this websocket id");
        return failed === undefined ? chosen : overtaken;
      },
    });
    if (seated) remember(this.#sockets, websocketId, seated);
    return seated;
  }

  async findBySocket(websocketId: string): Promise<ViewerPlace | undefined> {
    const known = this.#sockets.get(websocketId);
    if (known) return known;
    const item = await this.table.get(viewerSocketKey(websocketId));
    if (!item) return undefined;
    const place = viewerSocketRow.parse(item);
    remember(this.#sockets, websocketId, place);
    return place;
  }

  async hear(place: ViewerPlace, topics?: readonly string[]): Promise<HeardViewer | undefined> {
    const { organizationId, websocketId, id } = place;
    const counted = await this.#frames.count(websocketId, this.deps.clock.now(), {
      key: viewerKey(organizationId, place.place),
      prefix: "",
      change: topics === undefined ? {} : { set: viewerRow.set({ topics }) },
      condition: hasValue("id", id),
      isIts: (found) => found?.id === id,
    });
    return counted && { viewer: viewerRow.parse(counted.item), frames: counted.frames };
  }

  async list(organizationId: OrganizationId): Promise<readonly SeatedViewer[]> {
    const rows = await queryItems(this.table, { partition: viewerPartition(organizationId), ...viewerRange });
    const nowMs = this.deps.clock.now();
    return rows.map(viewerRow.parse).filter(({ endsAtMs }) => endsAtMs > nowMs);
  }

  async hasAny(organizationId: OrganizationId): Promise<boolean> {
    const rows = { partition: viewerPartition(organizationId), ...viewerRange };
    return (await queryItems(this.table, rows, 1)).length > 0;
  }

  async listByKey(keyId: string): Promise<readonly ViewerPlace[]> {
    const rows = { index: "filter3", partition: filterPartitions.viewersByKey(keyId) } as const;
    const keys = await queryKeys(this.table, rows, { skip: 0, limit: Number.POSITIVE_INFINITY });
    const viewers = (await this.table.batchGet(keys)).map(viewerRow.parse);
    // The index is eventually consistent, and a place may have been taken by another key's viewer.
    return viewers.filter((viewer) => viewer.keyId === keyId);
  }

  async listEnded(limit: number): Promise<readonly ViewerPlace[]> {
    const nowMs = this.deps.clock.now();
    const viewers = (await readDue(this.table, "OPEN#VIEWER", { untilMs: nowMs, limit })).map(
      viewerRow.parse,
    );
    return viewers.filter(({ endsAtMs }) => endsAtMs <= nowMs);
  }

  async remove({ organizationId, place, id, websocketId }: ViewerPlace): Promise<void> {
    this.#sockets.delete(websocketId);
    await this.table.delete(viewerKey(organizationId, place), hasValue("id", id));
  }
}
