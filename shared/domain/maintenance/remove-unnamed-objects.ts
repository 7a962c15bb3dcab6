import type { OrganizationId } from "../access/organization-id.ts";
import type { AttachmentStore } from "../attachment/attachment-store.ts";
import type { Clock } from "../clock.ts";
import { type FileStore, type KeptPrefix, keptPrefixes } from "../file-store.ts";
import type { RunStore } from "../run/run-store.ts";
import type { TrajectoryStore } from "../trajectory/trajectory-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import type { SweepCursor, SweepCursorStore } from "./sweep-cursor-store.ts";

/** Longer than any request or retry that may still name its object: both end with their idempotency record. */
const unnamedObjectAgeMs = 24 * 3_600_000;

/** Unnamed objects are rare; a round once an hour keeps an idle deployment nearly free. */
const objectRoundEveryMs = 3_600_000;

/** An object's owner, by its key. */
export interface OwnerOfObject {
  readonly organizationId: OrganizationId;
  readonly kind: "run" | "trajectory" | "attachment";
  readonly id: string;
}

export interface RemoveUnnamedObjectsDeps {
  readonly runs: Pick<RunStore, "find" | "findDeleted">;
  readonly trajectories: Pick<TrajectoryStore, "find" | "findDeleted">;
  readonly attachments: Pick<AttachmentStore, "find" | "findDeleted">;
  readonly files: Pick<FileStore, "list" | "remove" | "attachmentKey">;
  readonly sweepCursors: SweepCursorStore;
  /** Undefined for a key whose owner is unknown: the object is left alone. */
  readonly objectOwner: (key: string) => OwnerOfObject | undefined;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Checks one page of the bucket's objects, of all organizations, and removes those that are old and named by no row: a
 * writer crashed between the object and its row. The cursor is in the table, since a round takes many runs. Concurrent
 * runs check the same page, which is harmless.
 *
 * @returns how many were removed.
 */
export async function removeUnnamedObjects(deps: RemoveUnnamedObjectsDeps): Promise<number> {
  const now = deps.clock.now();
  const cursor = await deps.sweepCursors.find("objects");
  if (cursor !== undefined && now < cursor.notBeforeMs) return 0;
  const position = cursor?.position ?? keptPrefixes[0];
  const prefix = keptPrefixes.find((each) => position.startsWith(each)) ?? keptPrefixes[0];
  const page = await deps.files.list(prefix, position);
  let removed = 0;
  try {
    await forEachBounded(page.objects, async ({ key, modifiedAtMs }) => {
      if (modifiedAtMs >= now - unnamedObjectAgeMs || (await isNamed(deps, key))) return;
      await deps.files.remove(key);
      removed += 1;
    });
  } finally {
    // Also past a failed page, which would otherwise block all later ones; the next round retries it.
    await deps.sweepCursors.replace(nextCursor(cursor, page.nextAfter ?? prefixAfter(prefix), now), cursor);
  }
  return removed;
}

function prefixAfter(prefix: KeptPrefix): KeptPrefix | undefined {
  return keptPrefixes[keptPrefixes.indexOf(prefix) + 1];
}

function nextCursor(before: SweepCursor | undefined, position: string | undefined, now: number): SweepCursor {
  return {
    listing: "objects",
    position: position ?? null,
    notBeforeMs: position === undefined ? now + objectRoundEveryMs : now,
    revision: (before?.revision ?? 0) + 1,
  };
}

async function isNamed(deps: RemoveUnnamedObjectsDeps, key: string): Promise<boolean> {
  const owner = deps.objectOwner(key);
  if (owner === undefined) return true;
  const { organizationId, kind, id } = owner;
  if (kind === "attachment") {
    const attachment =
      (await deps.attachments.find(organizationId, id)) ??
      (await deps.attachments.findDeleted(organizationId, id));
    return attachment !== undefined && deps.files.attachmentKey(organizationId, attachment.runId, id) === key;
  }
  const holders = kind === "run" ? deps.runs : deps.trajectories;
  const holder = (await holders.find(organizationId, id)) ?? (await holders.findDeleted(organizationId, id));
  return holder !== undefined && Object.values(holder).some((field) => isObjectOf(field, key));
}

/** Checks every field, so that a newly added one cannot lose its objects. */
function isObjectOf(field: unknown, key: string): boolean {
  return typeof field === "object" && field !== null && "key" in field && field.key === key;
}
