import type { OrganizationId } from "../organization-id.ts";
import { finishAttachmentDeletion } from "./finish-attachment-deletion.ts";
import { finishMachineDeletion } from "./finish-machine-deletion.ts";
import { finishPoolDeletion } from "./finish-pool-deletion.ts";
import { finishRunDeletion } from "./finish-run-deletion.ts";
import { finishScheduleDeletion } from "./finish-schedule-deletion.ts";
import { finishTagDeletion, finishTagGroupDeletion } from "./finish-tag-deletion.ts";
import { finishTrajectoryDeletion } from "./finish-trajectory-deletion.ts";
import { finishWorkflowDeletion } from "./finish-workflow-deletion.ts";

/** Each finisher is idempotent and removes the row last, so that it can restart from the top. */
const finishers = {
  machine: finishMachineDeletion,
  pool: finishPoolDeletion,
  workflow: finishWorkflowDeletion,
  workflow_tag: finishTagDeletion,
  workflow_tag_group: finishTagGroupDeletion,
  run: finishRunDeletion,
  attachment: finishAttachmentDeletion,
  trajectory: finishTrajectoryDeletion,
  schedule: finishScheduleDeletion,
} as const;

export type DeletableKind = keyof typeof finishers;

type Finisher<Deps> = (deps: Deps, organizationId: OrganizationId, id: string) => Promise<boolean>;

export type FinishDeletionDeps =
  (typeof finishers)[DeletableKind] extends Finisher<infer Deps> ? Deps : never;

export const deletableKinds = Object.keys(finishers).filter(isDeletableKind);

export function isDeletableKind(kind: string): kind is DeletableKind {
  return Object.hasOwn(finishers, kind);
}

/** Idempotent. Returns false when there was nothing left to do. */
export async function finishDeletion(
  deps: FinishDeletionDeps,
  kind: DeletableKind,
  organizationId: OrganizationId,
  id: string,
): Promise<boolean> {
  return await finishers[kind](deps, organizationId, id);
}

export interface DueDeletion {
  readonly organizationId: OrganizationId;
  readonly id: string;
}

export interface DueStore {
  /** Lists deletions of a kind that were marked at that time or earlier, oldest first. */
  listDeleted(kind: DeletableKind, untilMs: number, limit: number): Promise<readonly DueDeletion[]>;
}
