import type { WorkflowTag } from "../../../../../shared/contract/workflow-tag.ts";
import { useAction } from "../../data/use-action.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TagChip } from "./tag-chip.tsx";

interface TagDialogProps {
  readonly workflow: { readonly id: string; readonly name: string; readonly tags: readonly WorkflowTag[] };
  readonly all: readonly WorkflowTag[];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** The keyboard's way to what a drag does. A tag of a group takes the place of the other one of its group. */
export function TagDialog({ workflow, all, onChanged, onClose }: TagDialogProps) {
  const { act, isBusy } = useAction();
  const has = new Set(workflow.tags.map(({ id }) => id));
  const shown = [...all, ...workflow.tags.filter(({ id }) => !all.some((each) => each.id === id))];
  const groups = Map.groupBy(shown, ({ group }) => group?.name ?? "");
  const toggle = async (tag: WorkflowTag, isWanted: boolean) => {
    const path = { workflow_id: workflow.id };
    const done = isWanted
      ? await act("assignTags", { path, body: { tag_ids: [tag.id] } })
      : await act("unassignTag", { path: { ...path, tag_id: tag.id } });
    if (done !== undefined) onChanged();
  };
  return (
    <Dialog title={`Tags of ${workflow.name || "this workflow"}`} onClose={onClose}>
      {[...groups].map(([group, tags]) => (
        <fieldset key={group} class="choices">
          <legend>{group === "" ? "Tags" : `${group} (one of them)`}</legend>
          {tags.map((tag) => (
            <label key={tag.id}>
              <input
                type="checkbox"
                checked={has.has(tag.id)}
                disabled={isBusy || (tag.is_archived && !has.has(tag.id))}
                onChange={(event) => void toggle(tag, event.currentTarget.checked)}
              />
              <TagChip tag={tag} />
            </label>
          ))}
        </fieldset>
      ))}
      <div class="actions">
        <Button text="Done" class="primary" onClick={onClose} />
      </div>
    </Dialog>
  );
}
