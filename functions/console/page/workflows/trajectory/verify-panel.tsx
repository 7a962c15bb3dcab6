import { useState } from "preact/hooks";
import type { Trajectory } from "../../../../../shared/contract/trajectory/trajectory.ts";
import { useAction } from "../../data/use-action.ts";
import { Failure } from "../../parts/failure.tsx";
import { Form } from "../../parts/form/form.tsx";
import { valuesOf } from "../../parts/form/schema-fields.ts";
import { setQuery, usePlace } from "../../shell/router.ts";
import { RunInputFields } from "../start/run-input-fields.tsx";
import { inputsBody, nothingGiven } from "../start/run-inputs.ts";
import { anyMachine, TargetFields, targetBody } from "../start/target-fields.tsx";
import { elementView, secretsIn } from "./element-view.ts";
import { MissedPart } from "./missed-part.tsx";
import { missedPiece } from "./missed-piece.ts";
import { VerificationRun } from "./verification-run.tsx";
import { differs, verifyFields } from "./verify-fields.ts";

interface VerifyPanelProps {
  readonly trajectory: Trajectory;
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** Something is not saved yet. */
  readonly isOff: boolean;
  readonly onEnded: () => void;
  /** Saves the parts that the end must show. @returns whether that is done. */
  readonly onExpect: (expect: NonNullable<Trajectory["expect"]>) => Promise<boolean>;
}

/** Does the work again, twice, with other inputs; the run is in the address, so that a reload still shows it. */
export function VerifyPanel({ trajectory, schema, isOff, onEnded, onExpect }: VerifyPanelProps) {
  const { query } = usePlace();
  const { act, isBusy, error } = useAction();
  const [target, setTarget] = useState(anyMachine);
  const [given, setGiven] = useState(nothingGiven);
  const recorded = trajectory.original_input_values ?? {};
  const fields = verifyFields(recorded, schema);
  const views = (trajectory.trajectory_data ?? []).flatMap((each) => elementView(each) ?? []);
  const secrets = secretsIn(views);
  const { values, problems } = valuesOf(fields, given.inputs);
  const [isChecked, setChecked] = useState(false);
  // With the recorded inputs it would show nothing new.
  const [first] = fields;
  const isSame = first !== undefined && !differs(recorded, values);
  const shown =
    isChecked && isSame
      ? { ...problems, [first.name]: "Give at least one other value than the recorded one." }
      : problems;
  const verify = async () => {
    setChecked(true);
    if (isSame || Object.keys(problems).length > 0) return;
    const body = {
      ...targetBody(target),
      ...inputsBody(values, secrets, given),
    };
    const path = { trajectory_id: trajectory.id };
    const made = await act("verifyTrajectory", { path, body }, { isQuiet: true });
    if (made !== undefined) setQuery({ run: made.body.run.id });
  };
  const leaveOut = async (piece: unknown) => {
    const rest = (trajectory.expect ?? []).filter((each) => each !== piece);
    if (await onExpect(rest)) await verify();
  };
  return (
    <>
      {query.run === undefined ? null : (
        <VerificationRun
          key={query.run}
          runId={query.run}
          onEnded={onEnded}
          remedy={(errors) => {
            const piece = missedPiece(errors, trajectory.expect ?? []);
            if (piece === undefined) return undefined;
            return (
              <MissedPart piece={piece} isBusy={isBusy || isOff} onLeaveOut={() => void leaveOut(piece)} />
            );
          }}
        />
      )}
      <Form noValidate onSubmit={verify}>
        <p>
          The desktop does the work again, twice in a row, by the recording alone. Give it another input than
          the recorded one: that shows that it works for others, too.
        </p>
        {error === undefined ? null : <Failure error={error} />}
        {fields.length === 0 ? (
          <p class="hint">
            The recording has no input, so nothing can differ. Change a step that types into an input, or
            approve it as it is: every run then does the very same.
          </p>
        ) : null}
        <RunInputFields fields={fields} secrets={secrets} given={given} problems={shown} onGiven={setGiven} />
        <TargetFields target={target} onTarget={setTarget} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy || isOff}>
            Verify
          </button>
        </div>
      </Form>
    </>
  );
}
