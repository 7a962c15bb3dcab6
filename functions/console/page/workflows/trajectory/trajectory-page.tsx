import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError } from "../../../../../shared/client/api-error.ts";
import type { Trajectory } from "../../../../../shared/contract/trajectory/trajectory.ts";
import type { Tagged } from "../../data/call-any.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall, useTagged } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Show } from "../../parts/show.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import type { ItemProps } from "../../shell/section.ts";
import { countOf } from "../count-of.ts";
import { namesOf } from "../edit/schema-rows.ts";
import { ChecksPanel } from "./checks-panel.tsx";
import { changedElement, problemsByElement, replacedText, warnedPlaces, withInput } from "./edit-elements.ts";
import { ElementDialog } from "./element-dialog.tsx";
import { constantOf, elementView, inputsIn } from "./element-view.ts";
import { FilmStrip } from "./film-strip.tsx";
import { changesOf, draftOf } from "./trajectory-draft.ts";
import { TrajectoryMarks } from "./trajectory-marks.tsx";
import { TrajectoryNext } from "./trajectory-next.tsx";

export function TrajectoryPage({ item }: ItemProps) {
  const trajectory = useTagged("getTrajectory", { path: { trajectory_id: item } });
  return (
    <Show of={trajectory}>
      {(tagged) => <Opened key={item} tagged={tagged} reload={trajectory.reload} />}
    </Show>
  );
}

interface OpenedProps {
  readonly tagged: Tagged<Trajectory>;
  readonly reload: () => Promise<void>;
}

function Opened({ tagged, reload }: OpenedProps) {
  const can = useCan();
  const { act, isBusy, error } = useAction();
  const [base, setBase] = useState(tagged);
  const [draft, setDraft] = useState(() => draftOf(tagged.body));
  const [editing, setEditing] = useState<number>();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  /** What was written here last and has not been read yet. */
  const written = useRef<"all" | "a field">(undefined);
  const trajectory = base.body;
  const path = { trajectory_id: trajectory.id };
  const workflow = useCall("getWorkflow", { path: { workflow_id: trajectory.workflow_id } });
  const changes = useMemo(() => changesOf(trajectory, draft), [trajectory, draft]);
  const isReadOnly = !can("write");
  const isOvertaken = changes !== undefined && tagged.etag !== base.etag;

  // What is not edited here follows what is saved elsewhere.
  useEffect(() => {
    if (tagged === base || (changes !== undefined && !written.current)) return;
    // What was saved here is taken as the service has it: it may have cut pieces anew.
    if (changes === undefined || written.current === "all") setDraft(draftOf(tagged.body));
    written.current = undefined;
    setBase(tagged);
  }, [tagged]);

  const write = async (
    body: Parameters<typeof act<"updateTrajectory">>[1]["body"],
    done: string,
    part: typeof written.current = "a field",
  ) => {
    const response = await act(
      "updateTrajectory",
      { path, body, ifMatch: base.etag },
      { done, isQuiet: true },
    );
    if (response !== undefined) {
      written.current = part;
      setWarnings(response.body.warnings ?? []);
    }
    await reload();
    return response !== undefined;
  };
  const remove = async () => {
    const question = {
      title: "Delete this recording?",
      text: "Runs cannot replay it any more.",
      verb: "Delete",
    };
    if (!(await confirm(question))) return;
    const done = await act("deleteTrajectory", { path }, { done: "The recording is deleted." });
    if (done !== undefined) navigate(hrefOf("workflows", trajectory.workflow_id));
  };
  const duplicate = async () => {
    const copy = await act("duplicateTrajectory", { path }, { done: "This is the copy." });
    if (copy !== undefined) navigate(hrefOf("trajectories", copy.body.id));
  };
  const adopt = () => {
    setBase(tagged);
    setDraft(draftOf(tagged.body));
  };

  const nameInput = (place: number, name: string) => {
    const named = draft.elements[place];
    if (named === undefined) return;
    const element = named.value as Readonly<Record<string, unknown>>;
    const next = {
      ...draft,
      elements: changedElement(draft.elements, named.id, withInput(element, name)),
      recorded: { ...draft.recorded, [name]: replacedText(element) },
    };
    setDraft(next);
    const all = changesOf(trajectory, next);
    // With other changes about, their author decides when they are saved.
    if (changes === undefined && all !== undefined) void write(all, `{${name}} is an input.`, "all");
  };

  const problems = problemsByElement(error instanceof ApiError ? error.details : undefined);
  const isAtElements = problems.size > 0 && !problems.has(undefined);
  const warned = new Set(warnings.flatMap(warnedPlaces));
  const edited = draft.elements.find(({ id }) => id === editing);
  const views = draft.elements.flatMap(({ value }) => elementView(value) ?? []);
  const inputs = [
    ...new Set([
      ...Object.keys(trajectory.original_input_values ?? {}),
      ...namesOf(workflow.data?.input_schema ?? null),
      ...inputsIn(views),
    ]),
  ];
  const title = trajectory.name || "Recording";
  const back = {
    href: hrefOf("workflows", trajectory.workflow_id),
    text: workflow.data?.name || "Workflow",
  };
  return (
    <>
      <PageHeader title={title} back={back}>
        {isReadOnly ? null : (
          <>
            {trajectory.is_approved ? (
              <Button
                text="Withdraw the approval"
                disabled={isBusy}
                onClick={() => write({ is_approved: false }, "Runs do not replay it any more.")}
              />
            ) : null}
            {trajectory.is_approved && !trajectory.is_main ? (
              <Button
                text="Let runs replay it"
                disabled={isBusy}
                onClick={() => write({ is_main: true }, "Runs replay it from now on.")}
              />
            ) : null}
            <Button text="Duplicate" disabled={isBusy} onClick={duplicate} />
            <Button text="Delete" class="danger" disabled={isBusy} onClick={remove} />
          </>
        )}
      </PageHeader>
      <p class="card-tags">
        <TrajectoryMarks trajectory={trajectory} />
        {inputs.map((name) => (
          <mark key={name} class="named named-input">{`{${name}}`}</mark>
        ))}
      </p>
      {error === undefined || isAtElements ? null : <Failure error={error} />}
      {isOvertaken ? (
        <div class="failure" role="alert">
          <p>Somebody else has changed this recording. Your changes are not saved.</p>
          <Button text="Show theirs, give up mine" class="small" onClick={adopt} />
          <Button text="Keep mine" class="small" onClick={() => setBase(tagged)} />
        </div>
      ) : null}
      <TrajectoryNext
        trajectory={trajectory}
        schema={workflow.data?.input_schema ?? null}
        warnings={warnings}
        isUnsaved={changes !== undefined}
        isBusy={isBusy}
        onApprove={(isAlone) =>
          void write({ is_approved: true, ...(isAlone && { is_main: true }) }, "The recording is approved.")
        }
        onVerified={() => void reload()}
        onExpect={async (expect) => await write({ expect }, "The end need not show it.")}
        constants={draft.elements.flatMap(({ value }, place) => {
          const text = constantOf(value);
          return text === undefined ? [] : [{ place, text }];
        })}
        inputs={inputs}
        onInput={nameInput}
      />
      <h2>{countOf(draft.elements.length, "step")}</h2>
      {draft.elements.length === 0 ? (
        <Empty text="No step is left: a recording has at least one." />
      ) : (
        <FilmStrip
          elements={draft.elements}
          display={trajectory.dimensions}
          problems={problems}
          warned={warned}
          isReadOnly={isReadOnly}
          onElements={(elements) => setDraft({ ...draft, elements })}
          onEdit={setEditing}
        />
      )}
      <ChecksPanel
        expect={draft.expect}
        checks={draft.checks}
        resetCount={trajectory.reset?.length ?? 0}
        isReadOnly={isReadOnly}
        onExpect={(expect) => setDraft({ ...draft, expect })}
        onChecks={(checks) => setDraft({ ...draft, checks })}
      />
      {isReadOnly ? null : (
        <>
          <TextField
            label="Name of the recording"
            maxLength={255}
            value={draft.name}
            onText={(text) => setDraft({ ...draft, name: text })}
          />
          <div class={changes === undefined ? "save-bar" : "save-bar save-bar-open"}>
            <p role="status">
              {changes === undefined ? "Everything is saved." : "Your changes are not saved yet."}
            </p>
            <div class="actions">
              <Button
                text="Undo"
                disabled={changes === undefined || isBusy}
                onClick={() => setDraft(draftOf(trajectory))}
              />
              <Button
                text="Save"
                class="primary"
                disabled={changes === undefined || isBusy || draft.elements.length === 0}
                onClick={() => changes && void write(changes, "The recording is saved.", "all")}
              />
            </div>
          </div>
        </>
      )}
      {edited === undefined ? null : (
        <ElementDialog
          key={edited.id}
          place={draft.elements.indexOf(edited) + 1}
          element={edited.value as Readonly<Record<string, unknown>>}
          display={trajectory.dimensions}
          inputs={inputs}
          onClose={() => setEditing(undefined)}
          onDone={(element, recorded) => {
            setDraft({
              ...draft,
              elements: changedElement(draft.elements, edited.id, element),
              recorded: { ...draft.recorded, ...recorded },
            });
            setEditing(undefined);
          }}
        />
      )}
    </>
  );
}
