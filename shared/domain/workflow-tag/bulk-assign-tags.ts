import { type Caller, requireScope } from "../access/caller.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import { DomainError } from "../errors.ts";
import { assignTags, requireTags } from "./assign-tags.ts";
import type { TaggingDeps } from "./tag-deps.ts";

export interface BulkAssignTagsInput {
  readonly workflowIds: readonly string[];
  readonly tagIds: readonly string[];
}

export interface BulkAssignTagsResult {
  readonly updated: readonly { readonly workflowId: string; readonly tagIds: readonly string[] }[];
  readonly errors: readonly {
    readonly workflowId: string;
    readonly code: string;
    readonly message: string;
  }[];
}

/**
 * Assigns the same tags to many workflows, each all or none; a refused one does not affect the others. Idempotent.
 *
 * @throws {InvalidInput} for two tags of one group.
 * @throws {DomainError} `not_found` for a tag, before anything is written.
 */
export async function bulkAssignTags(
  deps: TaggingDeps,
  caller: Caller,
  { workflowIds, tagIds }: BulkAssignTagsInput,
): Promise<BulkAssignTagsResult> {
  requireScope(caller, "write");
  const ids = [...new Set(workflowIds)];
  await requireTags(deps, caller.organizationId, tagIds);
  const updated = new Map<string, readonly string[]>();
  const refused = new Map<string, DomainError>();
  const failures: unknown[] = [];
  await forEachBounded(ids, async (workflowId) => {
    try {
      updated.set(workflowId, await assignTags(deps, caller, { workflowId, tagIds }));
    } catch (error) {
      if (error instanceof DomainError && error.code !== "service_unavailable")
        refused.set(workflowId, error);
      else failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
  return {
    updated: ids.flatMap((workflowId) => {
      const now = updated.get(workflowId);
      return now === undefined ? [] : [{ workflowId, tagIds: now }];
    }),
    errors: ids.flatMap((workflowId) => {
      const error = refused.get(workflowId);
      return error === undefined ? [] : [{ workflowId, code: error.code, message: error.message }];
    }),
  };
}
