import { useState } from "preact/hooks";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { useCall, useTagged } from "../data/use-call.ts";
import { Button } from "../parts/button.tsx";
import { confirm } from "../parts/confirm.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Show } from "../parts/show.tsx";
import { hrefOf } from "../shell/place.ts";
import { navigate } from "../shell/router.ts";
import type { ItemProps } from "../shell/section.ts";
import { Versions } from "./edit/versions.tsx";
import { WorkflowForm } from "./edit/workflow-form.tsx";
import { Overview } from "./overview.tsx";
import { StartRun } from "./start/start-run.tsx";
import { Tabs, useView } from "./tabs.tsx";
import { TagChip } from "./tags/tag-chip.tsx";
import { TagDialog } from "./tags/tag-dialog.tsx";

const views = [
  ["overview", "Recordings"],
  ["start", "Start a run"],
  ["edit", "Edit"],
  ["versions", "Earlier prompts"],
] as const;

const back = { href: hrefOf("workflows"), text: "Workflows" };

export function WorkflowPage({ item }: ItemProps) {
  const workflow = useTagged("getWorkflow", { path: { workflow_id: item } });
  const tags = useCall("listWorkflowTags");
  const can = useCan();
  const { act, isBusy } = useAction();
  const [isTagging, setTagging] = useState(false);
  const shown = can("write") ? views : views.filter(([view]) => view !== "start");
  const view = useView(shown);
  const path = { workflow_id: item };
  const name = workflow.data?.body.name || "Workflow";
  const remove = async () => {
    const text =
      "Its waiting runs are cancelled. Runs that have ended, and its recordings, stay and name it.";
    if (!(await confirm({ title: `Delete ${name}?`, text, verb: "Delete" }))) return;
    const done = await act("deleteWorkflow", { path }, { done: "The workflow is deleted." });
    if (done !== undefined) navigate(hrefOf("workflows"));
  };
  const duplicate = async () => {
    const done = "This is the copy, with copies of its recordings.";
    const copy = await act("duplicateWorkflow", { path, body: { include_trajectories: true } }, { done });
    if (copy !== undefined) navigate(hrefOf("workflows", copy.body.id));
  };
  return (
    <>
      <PageHeader title={name} back={back}>
        {can("write") ? (
          <>
            <Button text="Duplicate" disabled={isBusy} onClick={duplicate} />
            <Button text="Delete" class="danger" disabled={isBusy} onClick={remove} />
          </>
        ) : null}
      </PageHeader>
      <Show of={workflow}>
        {(tagged) => (
          <>
            <p class="card-tags">
              {tagged.body.tags.map((tag) => (
                <TagChip key={tag.id} tag={tag} />
              ))}
              {can("write") ? (
                <Button text="+ Tags" class="small plain" onClick={() => setTagging(true)} />
              ) : null}
            </p>
            <Tabs label="Views of the workflow" tabs={shown} />
            {view === "overview" ? <Overview workflow={tagged.body} /> : null}
            {view === "start" ? <StartRun workflow={tagged.body} /> : null}
            {view === "edit" ? <WorkflowForm key={item} workflow={tagged} reload={workflow.reload} /> : null}
            {view === "versions" ? (
              <Versions workflow={tagged} onRestored={() => void workflow.reload()} />
            ) : null}
            {isTagging ? (
              <TagDialog
                workflow={tagged.body}
                all={tags.data ?? []}
                onChanged={() => void workflow.reload()}
                onClose={() => setTagging(false)}
              />
            ) : null}
          </>
        )}
      </Show>
    </>
  );
}
