import type { ComponentChildren } from "preact";
import type { WorkflowTag } from "../../../../../shared/contract/workflow-tag.ts";

interface TagChipProps {
  readonly tag: Pick<WorkflowTag, "name" | "emoji" | "color" | "description" | "is_archived">;
  /** Such as a button that takes it away. */
  readonly children?: ComponentChildren;
}

/** The colour is the organization's own text: the browser leaves out what is none. */
export function TagChip({ tag, children }: TagChipProps) {
  return (
    <span class="tag" title={tag.description || undefined}>
      <span class="tag-dot" style={{ backgroundColor: tag.color }} aria-hidden="true" />
      {tag.emoji === "" ? null : <span aria-hidden="true">{tag.emoji}</span>}
      <span class="tag-name">{tag.name}</span>
      {tag.is_archived ? <small>archived</small> : null}
      {children}
    </span>
  );
}
