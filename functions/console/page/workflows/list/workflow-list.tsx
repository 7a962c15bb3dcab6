import { useState } from "preact/hooks";
import type { WorkflowList as Page } from "../../../../../shared/contract/workflow.ts";
import type { WorkflowTag } from "../../../../../shared/contract/workflow-tag.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextFilter } from "../../parts/list/filters.tsx";
import { Pager, pageSize, useSkip } from "../../parts/list/pager.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { hrefOf } from "../../shell/place.ts";
import { usePlace } from "../../shell/router.ts";
import { PromptText } from "../edit/prompt-text.tsx";
import { TagChip } from "../tags/tag-chip.tsx";
import { TagDialog } from "../tags/tag-dialog.tsx";
import { draggedTag, isTagDrag, TagShelf } from "../tags/tag-shelf.tsx";
import { CreateWorkflow } from "./create-workflow.tsx";

type Item = Page["items"][number];

export function WorkflowList() {
  const { query } = usePlace();
  const can = useCan();
  const skip = useSkip();
  const [isCreating, setCreating] = useState(false);
  const [tagged, setTagged] = useState<string>();
  const { search, tag_ids } = query;
  const workflows = useCall("listWorkflows", {
    query: {
      limit: pageSize,
      skip,
      include_tags: true,
      ...(search && { search }),
      ...(tag_ids && { tag_ids: tag_ids.split(",") }),
    },
  });
  const tags = useCall("listWorkflowTags");
  const { act } = useAction();
  const reload = () => Promise.all([workflows.reload(), tags.reload()]);
  const assign = async ({ id, name }: Item, tagId: string) => {
    const tag = tags.data?.find((each) => each.id === tagId);
    const done = `${name || "The workflow"} has the tag ${tag?.name ?? ""}.`;
    const input = { path: { workflow_id: id }, body: { tag_ids: [tagId] } };
    if ((await act("assignTags", input, { done })) !== undefined) await reload();
  };
  const open = workflows.data?.items.find(({ id }) => id === tagged);
  return (
    <>
      <PageHeader title="Workflows">
        {can("write") ? (
          <>
            <Button text="Write a workflow" onClick={() => setCreating(true)} />
            <a class="button primary" href={hrefOf("recordings")}>
              Record a demonstration
            </a>
          </>
        ) : null}
      </PageHeader>
      <search class="filters">
        <TextFilter name="search" label="Search" placeholder="name, prompt or id" />
      </search>
      {tags.data === undefined ? null : <TagShelf tags={tags.data} canDrag={can("write")} />}
      <Show of={workflows}>
        {({ items, total }) =>
          items.length === 0 ? (
            <NoWorkflows isFiltered={Boolean(search || tag_ids)} canWrite={can("write")} />
          ) : (
            <>
              <ul class="cards" aria-label="Workflows">
                {items.map((item) => (
                  <WorkflowCard
                    key={item.id}
                    item={item}
                    canWrite={can("write")}
                    onTag={(tagId) => void assign(item, tagId)}
                    onTags={() => setTagged(item.id)}
                  />
                ))}
              </ul>
              <Pager skip={skip} shown={items.length} total={total} />
            </>
          )
        }
      </Show>
      {isCreating ? <CreateWorkflow onClose={() => setCreating(false)} /> : null}
      {open === undefined ? null : (
        <TagDialog
          workflow={{ ...open, tags: open.tags ?? [] }}
          all={tags.data ?? []}
          onChanged={() => void reload()}
          onClose={() => setTagged(undefined)}
        />
      )}
    </>
  );
}

interface WorkflowCardProps {
  readonly item: Item;
  readonly canWrite: boolean;
  readonly onTag: (tagId: string) => void;
  readonly onTags: () => void;
}

const replayWords = {
  auto: "replays its recording, a model helps",
  only: "replays its recording, never a model",
  never: "a model alone",
} as const;

function WorkflowCard({ item, canWrite, onTag, onTags }: WorkflowCardProps) {
  const [isOver, setOver] = useState(false);
  const { id, name, main_prompt, executor, replay, tags = [], updated_at } = item;
  return (
    <li
      class={isOver ? "card card-over" : "card"}
      onDragOver={(event) => {
        if (!canWrite || !isTagDrag(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const tagId = draggedTag(event);
        if (tagId === undefined) return;
        event.preventDefault();
        onTag(tagId);
      }}
    >
      <h2>
        <a href={hrefOf("workflows", id)}>{name || "Without a name"}</a>
      </h2>
      <p class="card-prompt">
        <PromptText prompt={main_prompt.slice(0, 400)} />
      </p>
      <p class="card-tags">
        {tags.map((tag: WorkflowTag) => (
          <TagChip key={tag.id} tag={tag} />
        ))}
        {canWrite ? (
          <Button text="+ Tags" class="small plain" aria-label={`Tags of ${name || id}`} onClick={onTags} />
        ) : null}
      </p>
      <p class="card-facts">
        <span>{executor === "worker" ? "a worker of your own" : replayWords[replay]}</span>
        <span>
          changed <RelativeTime at={updated_at} />
        </span>
      </p>
    </li>
  );
}

function NoWorkflows({ isFiltered, canWrite }: { readonly isFiltered: boolean; readonly canWrite: boolean }) {
  if (isFiltered) {
    return (
      <Empty text="No workflow fits these filters.">
        <a href={hrefOf("workflows")}>Show all</a>
      </Empty>
    );
  }
  return (
    <Empty text="No workflow yet. A workflow says what is done; you show it once, and runs repeat it with other inputs.">
      {canWrite ? (
        <a class="button primary" href={hrefOf("recordings")}>
          Show it by a demonstration
        </a>
      ) : null}
    </Empty>
  );
}
