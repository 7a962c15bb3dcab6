import { useState } from "preact/hooks";
import type { TagGroup, WorkflowTag } from "../../../../../shared/contract/workflow-tag.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Table } from "../../parts/list/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { RowActions } from "../row-actions.tsx";
import { EditGroup, EditTag } from "./edit-tag.tsx";
import { TagName } from "./tag-name.tsx";

type Edited =
  | { readonly kind: "tag"; readonly tag: WorkflowTag | undefined }
  | { readonly kind: "group"; readonly group: TagGroup | undefined };

export function TagsPage() {
  const can = useCan();
  const tags = useCall("listWorkflowTags", { query: { include_archived: true } });
  const groups = useCall("listWorkflowTagGroups");
  const [edited, setEdited] = useState<Edited | undefined>();
  const reload = () => void Promise.all([tags.reload(), groups.reload()]);
  const close = () => setEdited(undefined);
  const done = () => {
    close();
    reload();
  };
  return (
    <>
      <PageHeader title="Tags">
        {can("write") ? (
          <>
            <Button text="New group" onClick={() => setEdited({ kind: "group", group: undefined })} />
            <Button
              text="New tag"
              class="primary"
              onClick={() => setEdited({ kind: "tag", tag: undefined })}
            />
          </>
        ) : null}
      </PageHeader>
      <p>Labels of workflows. A workflow has at most one tag of each group.</p>
      <Show of={tags}>
        {(all) =>
          all.length === 0 ? (
            <Empty text="There is no tag yet." />
          ) : (
            <TagTable tags={all} onEdit={(tag) => setEdited({ kind: "tag", tag })} onChange={reload} />
          )
        }
      </Show>
      <Show of={groups}>
        {(all) =>
          all.length === 0 ? null : (
            <GroupTable
              groups={all}
              onEdit={(group) => setEdited({ kind: "group", group })}
              onChange={reload}
            />
          )
        }
      </Show>
      {edited?.kind === "tag" ? (
        <EditTag tag={edited.tag} groups={groups.data ?? []} onClose={close} onDone={done} />
      ) : null}
      {edited?.kind === "group" ? <EditGroup group={edited.group} onClose={close} onDone={done} /> : null}
    </>
  );
}

interface TagTableProps {
  readonly tags: readonly WorkflowTag[];
  readonly onEdit: (tag: WorkflowTag) => void;
  readonly onChange: () => void;
}

function TagTable({ tags, onEdit, onChange }: TagTableProps) {
  const can = useCan();
  const { act, isBusy } = useAction();
  const archive = async ({ id, is_archived }: WorkflowTag) => {
    const path = { tag_id: id };
    if (is_archived) await act("unarchiveWorkflowTag", { path }, { done: "The tag is back." });
    else await act("archiveWorkflowTag", { path }, { done: "The tag is archived." });
    onChange();
  };
  const remove = async ({ id, name, workflow_count }: WorkflowTag) => {
    const text = `${workflow_count} workflows lose it.`;
    if (!(await confirm({ title: `Delete the tag ${name}?`, text, verb: "Delete" }))) return;
    await act("deleteWorkflowTag", { path: { tag_id: id } }, { done: "The tag is deleted." });
    onChange();
  };
  return (
    <Table
      caption="Tags"
      rows={tags}
      keyOf={({ id }) => id}
      columns={[
        { title: "Tag", cell: (tag) => <TagName tag={tag} /> },
        { title: "Group", isMinor: true, cell: ({ group }) => group?.name ?? "–" },
        { title: "Workflows", isNumber: true, isMinor: true, cell: (tag) => tag.workflow_count },
        { title: "State", cell: ({ is_archived }) => <Status value={is_archived ? "archived" : "in_use"} /> },
        { title: "Description", isMinor: true, cell: ({ description }) => description },
        {
          title: "Change",
          cell: (tag) =>
            can("write") ? (
              <RowActions isBusy={isBusy} onEdit={() => onEdit(tag)} onDelete={() => void remove(tag)}>
                <Button
                  text={tag.is_archived ? "Restore" : "Archive"}
                  class="small"
                  disabled={isBusy}
                  onClick={() => archive(tag)}
                />
              </RowActions>
            ) : null,
        },
      ]}
    />
  );
}

interface GroupTableProps {
  readonly groups: readonly TagGroup[];
  readonly onEdit: (group: TagGroup) => void;
  readonly onChange: () => void;
}

function GroupTable({ groups, onEdit, onChange }: GroupTableProps) {
  const can = useCan();
  const { act, isBusy } = useAction();
  const remove = async ({ id, name }: TagGroup) => {
    const text = "Its tags stay, in no group.";
    if (!(await confirm({ title: `Delete the group ${name}?`, text, verb: "Delete" }))) return;
    await act("deleteWorkflowTagGroup", { path: { group_id: id } }, { done: "The group is deleted." });
    onChange();
  };
  return (
    <Table
      caption="Groups of tags"
      rows={groups}
      keyOf={({ id }) => id}
      columns={[
        { title: "Group", cell: (group) => <TagName tag={group} /> },
        { title: "Description", isMinor: true, cell: ({ description }) => description },
        {
          title: "Change",
          cell: (group) =>
            can("write") ? (
              <RowActions isBusy={isBusy} onEdit={() => onEdit(group)} onDelete={() => void remove(group)} />
            ) : null,
        },
      ]}
    />
  );
}
