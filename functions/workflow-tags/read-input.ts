import type {
  CreateTagGroupBody,
  CreateWorkflowTagBody,
  UpdateTagGroupBody,
  UpdateWorkflowTagBody,
} from "../../shared/contract/workflow-tag.ts";
import type { CreateTagGroupInput, CreateTagInput } from "../../shared/domain/workflow-tag/create-tag.ts";
import { given } from "../../shared/http/request/given.ts";

function appearanceInput({ description, emoji, color, order }: UpdateTagGroupBody) {
  return given({ description, emoji, color, order });
}

export function createGroupInput(body: CreateTagGroupBody): CreateTagGroupInput {
  return { name: body.name, ...appearanceInput(body) };
}

export function createTagInput(body: CreateWorkflowTagBody): CreateTagInput {
  return { ...createGroupInput(body), ...given({ groupId: body.group_id }) };
}

export function updateGroupInput(groupId: string, body: UpdateTagGroupBody) {
  return { groupId, ...given({ name: body.name }), ...appearanceInput(body) };
}

export function updateTagInput(tagId: string, body: UpdateWorkflowTagBody) {
  const { name, group_id: groupId, is_archived: isArchived } = body;
  return { tagId, ...given({ name, groupId, isArchived }), ...appearanceInput(body) };
}
