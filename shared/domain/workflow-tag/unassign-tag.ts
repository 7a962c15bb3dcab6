import { type Caller, requireScope } from "../access/caller.ts";
import { type Edit, requireEdition } from "../entity/edition.ts";
import { notFound } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { TaggingDeps } from "./tag-deps.ts";

/** @throws {DomainError} `not_found` for the workflow or for a tag that it does not have. */
export async function unassignTag(
  { tags, workflows, clock }: TaggingDeps,
  caller: Caller,
  { workflowId, tagId, ifEdition }: Edit & { readonly workflowId: string; readonly tagId: string },
  idempotency?: Idempotency,
): Promise<void> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  await untilWritten(
    { clock },
    {
      what: "the workflow",
      read: () => workflows.find(organizationId, workflowId),
      decide: async (workflow) => {
        if (workflow === undefined) throw notFound("workflow", workflowId);
        requireEdition(workflow, { ifEdition });
        const removed = workflow.tagIds.includes(tagId) ? await tags.findTags(organizationId, [tagId]) : [];
        if (removed.length === 0) {
          throw new DomainError("not_found", `the workflow ${workflowId} has no tag ${tagId}`);
        }
        const tagIds = workflow.tagIds.filter((id) => id !== tagId);
        const assignment = { workflow, tagIds, added: [], removed, groups: [], idempotency };
        return (await tags.assign(assignment)) || overtaken;
      },
    },
  );
}
