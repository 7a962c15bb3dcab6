import type { Clock, Ids } from "../clock.ts";
import { DomainError, limitReached } from "../errors.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { CreateOutcome, TagStore } from "./tag-store.ts";

export interface TagDeps {
  readonly tags: TagStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface TaggingDeps extends Pick<TagDeps, "tags" | "clock"> {
  readonly workflows: Pick<WorkflowStore, "find" | "findTagIds">;
}

/** Returns false when the creation should be retried. */
export function isWritten(outcome: CreateOutcome, name: string, noun: string, max: number): boolean {
  if (outcome.kind === "limit_reached") throw limitReached(noun, max);
  if (outcome.kind !== "name_taken") return outcome.kind === "written";
  throw new DomainError("name_taken", `the organization has one with the name ${name} already`, {
    details: { id: outcome.id },
  });
}
