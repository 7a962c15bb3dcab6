import type { WorkflowTag } from "../../../../../shared/contract/workflow-tag.ts";
import { hrefOf } from "../../shell/place.ts";
import { setQuery, usePlace } from "../../shell/router.ts";
import { TagChip } from "./tag-chip.tsx";

/** Other drags, such as of text, are not taken for one of a tag. */
const dragType = "application/x-das-tag";

export function draggedTag({ dataTransfer }: DragEvent): string | undefined {
  return dataTransfer?.getData(dragType) || undefined;
}

export function isTagDrag({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(dragType) ?? false;
}

interface TagShelfProps {
  readonly tags: readonly WorkflowTag[];
  readonly canDrag: boolean;
}

/** All tags: a click filters the list, a drag onto a workflow gives it the tag. */
export function TagShelf({ tags, canDrag }: TagShelfProps) {
  const { query } = usePlace();
  const chosen = new Set((query.tag_ids ?? "").split(",").filter((id) => id !== ""));
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setQuery({ tag_ids: [...next].join(","), skip: undefined });
  };
  if (tags.length === 0) {
    return (
      <p class="hint">
        There are no tags yet. <a href={hrefOf("tags")}>Make the first one</a> to sort workflows by.
      </p>
    );
  }
  return (
    <section class="tag-shelf" aria-label="Tags">
      <ul>
        {tags.map((tag) => (
          <li
            key={tag.id}
            draggable={canDrag}
            onDragStart={({ dataTransfer }) => {
              dataTransfer?.setData(dragType, tag.id);
              if (dataTransfer) dataTransfer.effectAllowed = "copy";
            }}
          >
            <button
              type="button"
              class="tag-button"
              aria-pressed={chosen.has(tag.id)}
              onClick={() => toggle(tag.id)}
            >
              <TagChip tag={tag}>
                <small>{tag.workflow_count}</small>
              </TagChip>
            </button>
          </li>
        ))}
      </ul>
      {canDrag ? (
        <p class="hint">A click filters. Drag a tag onto a workflow, or use its “Tags” button.</p>
      ) : null}
    </section>
  );
}
