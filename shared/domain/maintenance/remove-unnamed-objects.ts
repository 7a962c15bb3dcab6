import type { OrganizationId } from "../access/organization-id.ts";
import type { AttachmentStore } from "../attachment/attachment-store.ts";
import type { Clock } from "../clock.ts";
import { type FileStore, type KeptPrefix, keptPrefixes } from "../file-store.ts";
import type { RunStore } from "../run/run-store.ts";
import type { TrajectoryStore } from "../trajectory/trajectory-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";
import type { SweepCursor, SweepCursorStore } from "./sweep-cursor-store.ts";

/** Beyond any request or take-over that may still be about to name its object: both end with their idempotency record. */
export const unnamedObjectAgeMs = 24 * 3_600_000;

/** Objects that nothing names are rare; looking once an hour keeps an idle deployment nearly free. */
export const objectRoundEveryMs = 3_600_000;

/** Whose object it is, as its key says. */
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
  /** Undefined for a key whose owner cannot be told: its object is left alone. */
  readonly objectOwner: (key: string) => OwnerOfObject | undefined;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Looks at one page of what entities keep in the bucket, of all organizations, and removes what is old and named by
 * no row: a writer died between the object and its row. How far it has come is in the table, since a round takes many
 * runs. Two runs at once look at the same page, which does no harm.
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
    // Also past one that failed, which would else keep all that come after it: the next round comes to it again.
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

/** Whatever the field is called: a field that is new here must not lose its objects. */
function isObjectOf(field: unknown, key: string): boolean {
  return typeof field === "object" && field !== null && "key" in field && field.key === key;
}
