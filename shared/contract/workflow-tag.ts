import * as z from "zod";
import { OrganizationId, Uuid } from "./fields/common.ts";
import { distinctUuids } from "./fields/distinct-uuids.ts";
import { example } from "./fields/example.ts";
import { queryBoolean } from "./fields/query-values.ts";
import { name, text } from "./fields/text.ts";

export const TagName = name(1, 100);
const Description = text(0, 500);
const Emoji = name(0, 10);
const Color = name(0, 20);
const Order = z.int().min(0).max(1_000_000_000);

const looks = {
  description: Description.optional().describe("The meaning of the tag or group. Default: empty."),
  emoji: Emoji.optional().describe("The emoji that dashboards show. Default: empty."),
  color: Color.optional().describe("The color that dashboards show, in any notation. Default: empty."),
  order: Order.optional().describe(
    "The place of the tag or group in lists, lowest first, and then by id. Default 0.",
  ),
};

export const CreateTagGroupBody = z
  .strictObject({ name: TagName.describe("The group's name; unique in the organization."), ...looks })
  .describe("A group of workflow tags that exclude each other: a workflow has at most one of them.");
export type CreateTagGroupBody = z.infer<typeof CreateTagGroupBody>;

export const UpdateTagGroupBody = z
  .strictObject({
    name: TagName.optional().describe("The group's new name; unique in the organization."),
    ...looks,
  })
  .describe("Changes of a group of workflow tags: only the fields provided are changed.");
export type UpdateTagGroupBody = z.infer<typeof UpdateTagGroupBody>;

export const CreateWorkflowTagBody = z
  .strictObject({
    name: TagName.describe("The tag's name; unique in the organization."),
    ...looks,
    group_id: Uuid.nullable()
      .optional()
      .describe("The tag's group, of which a workflow has at most one tag. Default null: no group."),
  })
  .describe("A label for workflows.");
export type CreateWorkflowTagBody = z.infer<typeof CreateWorkflowTagBody>;

export const UpdateWorkflowTagBody = CreateWorkflowTagBody.partial()
  .extend({
    is_archived: z
      .boolean()
      .optional()
      .describe("Whether the tag is archived, as the operations archive and unarchive have it."),
  })
  .describe(
    "Changes of a workflow tag: only the fields provided are changed, and `group_id` null takes the tag out of its group.",
  );
export type UpdateWorkflowTagBody = z.infer<typeof UpdateWorkflowTagBody>;

/** One transaction changes them all. */
const reorderedMax = 90;

export const ReorderBody = z
  .strictObject({
    ids: distinctUuids(1, reorderedMax).describe(
      `The ids in the wanted order, each once. At most ${reorderedMax}, since all are moved or none; a PATCH of each one's \`order\`, by which lists are sorted, moves more.`,
    ),
  })
  .describe("The new order of tags, or of groups of tags.");

export const WorkflowTagsQuery = z.strictObject({
  include_archived: queryBoolean.default(false).describe("Whether archived tags are listed too."),
});

const shown = {
  id: z.uuid().describe("The id of the tag or group."),
  name: example(z.string().min(1), "Invoices").describe(
    "The name of the tag or group, unique in the organization.",
  ),
  organization_id: OrganizationId.describe("The organization that the tag or group belongs to."),
  order: z.int().describe("The place of the tag or group in lists, lowest first, and then by id."),
  created_at: z.iso.datetime().describe("Time at which the tag or group was created."),
  updated_at: z.iso.datetime().describe("Time at which the tag or group was last changed."),
  description: z.string().describe("The meaning of the tag or group, for people."),
  emoji: example(z.string(), "🧾").describe("The emoji that dashboards show; empty if there is none."),
  color: example(z.string(), "#1f7a8c").describe(
    "The color that dashboards show, in any notation; empty if there is none.",
  ),
};

export const TagGroup = z
  .strictObject(shown)
  .describe("A group of workflow tags, of which a workflow has at most one.");
export type TagGroup = z.infer<typeof TagGroup>;

export const WorkflowTag = z
  .strictObject({
    ...shown,
    group_id: z.uuid().nullable().describe("The tag's group; null if it is in none."),
    is_archived: z
      .boolean()
      .describe("Whether the tag is archived: it can no longer be assigned, and lists leave it out."),
    workflow_count: z
      .int()
      .min(0)
      .describe(
        "Number of workflows that have the tag; a deleted workflow counts until its deletion is finished, shortly after.",
      ),
    group: example(TagGroup.nullable(), null).describe(
      "The tag's group with all its fields; null if it is in none.",
    ),
  })
  .describe("A label of workflows.");
export type WorkflowTag = z.infer<typeof WorkflowTag>;

export const IncludedTag = WorkflowTag.extend({
  type: z
    .literal("workflow_tag")
    .describe("The constant `workflow_tag`, which tells included resources apart."),
}).describe("A label of workflows beside the resource requested.");
export type IncludedTag = z.infer<typeof IncludedTag>;
