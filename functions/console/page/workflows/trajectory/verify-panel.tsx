import { useState } from "preact/hooks";
import type { JsonValue } from "../../../../../shared/contract/fields/json-value.ts";
import type { Trajectory } from "../../../../../shared/contract/trajectory/trajectory.ts";
import { useAction } from "../../data/use-action.ts";
import { Failure } from "../../parts/failure.tsx";
import { valuesOf } from "../../parts/schema-fields.ts";
import { SchemaInputs } from "../../parts/schema-form.tsx";
import { setQuery, usePlace } from "../../shell/router.ts";
import { givenSecrets } from "../start/run-inputs.ts";
import { SecretFields } from "../start/secret-fields.tsx";
import { anyMachine, TargetFields, targetBody } from "../start/target-fields.tsx";
import { elementView, secretsIn } from "./element-view.ts";
import { VerificationRun } from "./verification-run.tsx";
import { differs, verifyFields } from "./verify-fields.ts";

interface VerifyPanelProps {
  readonly trajectory: Trajectory;
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly onEnded: () => void;
}

/** Does the work again, twice, with other inputs; the run is in the address, so that a reload still shows it. */
export function VerifyPanel({ trajectory, schema, onEnded }: VerifyPanelProps) {
  const { query } = usePlace();
  const { act, isBusy, error } = useAction();
  const [target, setTarget] = useState(anyMachine);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [secretTexts, setSecretTexts] = useState<Readonly<Record<string, string>>>({});
  const recorded = trajectory.original_input_values ?? {};
  const fields = verifyFields(recorded, schema);
  const views = (trajectory.trajectory_data ?? []).flatMap((each) => elementView(each) ?? []);
  const secrets = secretsIn(views);
  const { values, problems } = valuesOf(fields, texts);
  const isOther = differs(recorded, values);
  const verify = async () => {
    const sensitive = givenSecrets(secrets, secretTexts);
    const body = {
      ...targetBody(target),
      input_values: values as Record<string, JsonValue>,
      ...(Object.keys(sensitive).length > 0 && { sensitive_input_values: sensitive }),
    };
    const path = { trajectory_id: trajectory.id };
    const made = await act("verifyTrajectory", { path, body }, { isQuiet: true });
    if (made !== undefined) setQuery({ run: made.body.run.id });
  };
  return (
    <>
      {query.run === undefined ? null : (
        <VerificationRun key={query.run} runId={query.run} onEnded={onEnded} />
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void verify();
        }}
      >
        <p>
          The desktop does the work again, twice in a row, by the recording alone. It has to succeed both
          times, with another input than the recorded one.
        </p>
        {error === undefined ? null : <Failure error={error} />}
        {fields.length === 0 ? (
          <p class="hint">
            The recording has no input, so nothing can differ. Change a step that types into an input, or
            approve it as it is: every run then does the very same.
          </p>
        ) : (
          <SchemaInputs
            fields={fields}
            texts={texts}
            problems={problems}
            onText={(name, text) => setTexts((before) => ({ ...before, [name]: text }))}
          />
        )}
        <SecretFields
          secrets={secrets}
          texts={secretTexts}
          onText={(name, text) => setSecretTexts((before) => ({ ...before, [name]: text }))}
        />
        <TargetFields target={target} onTarget={setTarget} />
        {fields.length === 0 || isOther ? null : (
          <p class="hint">Change at least one input: with the recorded ones it would show nothing new.</p>
        )}
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy || Object.keys(problems).length > 0}>
            Verify
          </button>
        </div>
      </form>
    </>
  );
}
