import { type KeptPrefix, keptPrefixes } from "../../../vocabulary/files.ts";
import type { AttachmentStore } from "../../attachment/attachment-store.ts";
import type { FileStore } from "../../file-store.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { PromptImageStore } from "../../prompt-image/prompt-image-deps.ts";
import type { RunStore } from "../../run/run-store.ts";
import type { ScheduleStore } from "../../schedule/schedule-store.ts";
import type { TrajectoryStore } from "../../trajectory/trajectory-store.ts";
import {
  type RemoveUnnamedDeps,
  removeUnnamed,
  type SweptLeftovers,
  unnamedAgeMs,
} from "./remove-unnamed.ts";

export interface OwnerOfObject {
  readonly organizationId: OrganizationId;
  readonly kind: "run" | "trajectory" | "schedule" | "attachment" | "prompt_image";
  readonly id: string;
}

export interface RemoveUnnamedObjectsDeps extends RemoveUnnamedDeps {
  readonly runs: Pick<RunStore, "find" | "findDeleted">;
  readonly trajectories: Pick<TrajectoryStore, "find" | "findDeleted">;
  readonly schedules: Pick<ScheduleStore, "find" | "findDeleted">;
  readonly attachments: Pick<AttachmentStore, "find" | "findDeleted">;
  readonly promptImages: Pick<PromptImageStore, "find">;
  readonly files: Pick<FileStore, "list" | "remove" | "attachmentKey" | "tableOf">;
  /** Returns undefined for a key whose owner is unknown; such an object is left alone. */
  readonly objectOwner: (key: string) => OwnerOfObject | undefined;
}

export async function removeUnnamedObjects(deps: RemoveUnnamedObjectsDeps): Promise<SweptLeftovers> {
  const before = deps.clock.now() - unnamedAgeMs;
  return await removeUnnamed(deps, {
    listing: "objects",
    list: async (position) => {
      const from = position ?? keptPrefixes[0];
      const prefix = keptPrefixes.find((each) => from.startsWith(each)) ?? keptPrefixes[0];
      const { objects, nextAfter } = await deps.files.list(prefix, from);
      const next = nextAfter ?? prefixAfter(prefix);
      const old = objects.filter(({ modifiedAtMs }) => modifiedAtMs < before);
      return { entries: old.map(({ key }) => key), ...(next !== undefined && { next }) };
    },
    isUnnamed: async (key, tableId) =>
      !(await isNamed(deps, key)) && (await deps.files.tableOf(key)) === tableId,
    remove: (key) => deps.files.remove(key),
  });
}

function prefixAfter(prefix: KeptPrefix): KeptPrefix | undefined {
  return keptPrefixes[keptPrefixes.indexOf(prefix) + 1];
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
  if (kind === "prompt_image") return (await deps.promptImages.find(organizationId, id))?.key === key;
  const holders = { run: deps.runs, trajectory: deps.trajectories, schedule: deps.schedules }[kind];
  const holder = (await holders.find(organizationId, id)) ?? (await holders.findDeleted(organizationId, id));
  return holder !== undefined && Object.values(holder).some((field) => isObjectOf(field, key));
}

/** Checks every field, so that a newly added one cannot lose its objects. */
function isObjectOf(field: unknown, key: string): boolean {
  return typeof field === "object" && field !== null && "key" in field && field.key === key;
}
