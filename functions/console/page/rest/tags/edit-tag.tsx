import type {
  CreateTagGroupBody,
  CreateWorkflowTagBody,
  TagGroup,
  UpdateTagGroupBody,
  UpdateWorkflowTagBody,
  WorkflowTag,
} from "../../../../../shared/contract/workflow-tag.ts";
import { useAction } from "../../data/use-action.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { groupForm, tagForm, withGroupId } from "./tag-forms.ts";

interface EditProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface EditTagProps extends EditProps {
  /** Undefined for a new one. */
  readonly tag: WorkflowTag | undefined;
  readonly groups: readonly TagGroup[];
}

export function EditTag({ tag, groups, onClose, onDone }: EditTagProps) {
  const { act, isBusy, error } = useAction();
  const save = async (values: Readonly<Record<string, unknown>>) => {
    const body = withGroupId(values, groups);
    const options = { done: "The tag is saved.", isQuiet: true };
    const saved =
      tag === undefined
        ? await act("createWorkflowTag", { body: body as CreateWorkflowTagBody }, options)
        : await act(
            "updateWorkflowTag",
            { path: { tag_id: tag.id }, body: body as UpdateWorkflowTagBody },
            options,
          );
    if (saved !== undefined) onDone();
  };
  return (
    <FormDialog
      title={tag === undefined ? "New tag" : "Edit the tag"}
      schema={tagForm(groups.map(({ name }) => name))}
      {...(tag !== undefined && { before: { ...looksOf(tag), group: tag.group?.name ?? "" } })}
      verb="Save"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={save}
    />
  );
}

interface EditGroupProps extends EditProps {
  /** Undefined for a new one. */
  readonly group: TagGroup | undefined;
}

export function EditGroup({ group, onClose, onDone }: EditGroupProps) {
  const { act, isBusy, error } = useAction();
  const save = async (body: Readonly<Record<string, unknown>>) => {
    const options = { done: "The group is saved.", isQuiet: true };
    const saved =
      group === undefined
        ? await act("createWorkflowTagGroup", { body: body as CreateTagGroupBody }, options)
        : await act(
            "updateWorkflowTagGroup",
            { path: { group_id: group.id }, body: body as UpdateTagGroupBody },
            options,
          );
    if (saved !== undefined) onDone();
  };
  return (
    <FormDialog
      title={group === undefined ? "New group" : "Edit the group"}
      schema={groupForm}
      {...(group !== undefined && { before: looksOf(group) })}
      verb="Save"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={save}
    />
  );
}

function looksOf({ name, emoji, color, description }: TagGroup | WorkflowTag) {
  return { name, emoji, color, description };
}
