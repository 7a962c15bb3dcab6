import * as z from "zod";
import { Uuid } from "./fields/common.ts";
import { distinctUuids } from "./fields/distinct-uuids.ts";
import { queryBoolean } from "./fields/query-values.ts";
import { text } from "./fields/text.ts";

export const TagName = text(1, 100);
const Description = text(0, 500);
const Emoji = text(0, 10);
const Color = text(0, 20);
/** Lists are sorted by it, lowest first; ties by id. */
const Order = z.int().min(0).max(1_000_000_000);

const looks = {
  description: Description.optional(),
  emoji: Emoji.optional(),
  color: Color.optional(),
  order: Order.optional(),
};

export const CreateTagGroupBody = z.strictObject({ name: TagName, ...looks });
export type CreateTagGroupBody = z.infer<typeof CreateTagGroupBody>;

/** Only the fields provided are changed. */
export const UpdateTagGroupBody = z.strictObject({ name: TagName.optional(), ...looks });
export type UpdateTagGroupBody = z.infer<typeof UpdateTagGroupBody>;

export const CreateWorkflowTagBody = z.strictObject({
  name: TagName,
  ...looks,
  group_id: Uuid.nullable().optional().describe("Of one group a workflow has at most one tag."),
});
export type CreateWorkflowTagBody = z.infer<typeof CreateWorkflowTagBody>;

/** Only the fields provided are changed; `group_id` null takes the tag out of its group. */
export const UpdateWorkflowTagBody = CreateWorkflowTagBody.partial();
export type UpdateWorkflowTagBody = z.infer<typeof UpdateWorkflowTagBody>;

/** Most ids in one request to reorder: one transaction changes them all. */
const reorderedMax = 90;

export const ReorderBody = z.strictObject({
  ids: distinctUuids(1, reorderedMax).describe(
    `In the wanted order, each once. At most ${reorderedMax}, since all are moved or none; the order of more is set by PATCH of each one's \`order\`, by which lists are sorted.`,
  ),
});

export const TagPath = z.strictObject({ tag_id: Uuid });
export const TagGroupPath = z.strictObject({ group_id: Uuid });

export const WorkflowTagsQuery = z.strictObject({ include_archived: queryBoolean.default(false) });

const shown = {
  id: z.uuid(),
  name: z.string().min(1),
  organization_id: z.string(),
  order: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  description: z.string(),
  emoji: z.string(),
  color: z.string(),
};

export const TagGroup = z.strictObject(shown);
export type TagGroup = z.infer<typeof TagGroup>;

export const WorkflowTag = z.strictObject({
  ...shown,
  group_id: z.uuid().nullable(),
  is_archived: z.boolean(),
  workflow_count: z
    .int()
    .min(0)
    .describe(
      "Workflows that have the tag; a deleted one counts until its deletion is finished, shortly after.",
    ),
  group: TagGroup.nullable().describe("Null without a group."),
});
export type WorkflowTag = z.infer<typeof WorkflowTag>;
