import type { Trajectory } from "../../../../../shared/contract/trajectory/trajectory.ts";
import { useCan } from "../../data/service.ts";
import { Button } from "../../parts/button.tsx";
import { hrefOf } from "../../shell/place.ts";
import { nextStep } from "../next-step.ts";
import { ProgressSteps } from "../progress-steps.tsx";
import { ConstantTexts } from "./constant-texts.tsx";
import { VerifyPanel } from "./verify-panel.tsx";

interface TrajectoryNextProps {
  readonly trajectory: Trajectory;
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** Of the approval, as far as they concern no element. */
  readonly warnings: readonly string[];
  readonly isUnsaved: boolean;
  readonly isBusy: boolean;
  /** `isAlone`: nothing has verified it, so it does not become what runs replay by itself. */
  readonly onApprove: (isAlone: boolean) => void;
  readonly onVerified: () => void;
  readonly onExpect: (expect: NonNullable<Trajectory["expect"]>) => Promise<boolean>;
  /** Texts that each run types as they were recorded, by the element's place. */
  readonly constants: readonly { readonly place: number; readonly text: string }[];
  /** Names that texts may become. */
  readonly inputs: readonly string[];
  readonly onInput: (place: number, name: string) => void;
}

/** What this recording needs next. */
export function TrajectoryNext(props: TrajectoryNextProps) {
  const { trajectory, schema, warnings, isUnsaved, isBusy, constants, inputs } = props;
  const { onApprove, onVerified, onExpect, onInput } = props;
  const can = useCan();
  const { step } = nextStep([trajectory]);
  const isVerified = trajectory.verified_at !== null;
  if (!can("write")) return null;
  return (
    <section class="panel next" aria-label="Next step">
      <ProgressSteps at={step} />
      {isUnsaved ? (
        <p class="hint">Save your changes first: what is verified and approved is what is saved.</p>
      ) : null}
      {isVerified ? null : (
        <ConstantTexts constants={constants} inputs={inputs} isBusy={isBusy} onInput={onInput} />
      )}
      {step === "run" ? (
        <>
          <p>Runs repeat it, each with its own inputs.</p>
          <a class="button primary" href={hrefOf("workflows", trajectory.workflow_id, { view: "start" })}>
            Run it again, with other inputs
          </a>
        </>
      ) : null}
      {isVerified && !trajectory.is_approved ? (
        <>
          <p>
            It was done again, twice in a row, with another input: it works. Approve it, and runs repeat it.
          </p>
          <Button
            text="Approve"
            class="primary"
            disabled={isBusy || isUnsaved}
            onClick={() => onApprove(false)}
          />
        </>
      ) : null}
      {warnings.length === 0 ? null : (
        <details>
          <summary>What may be wrong ({warnings.length})</summary>
          <ul class="warnings">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
      <details open={!isVerified}>
        <summary>{isVerified ? "Verify it once more" : "Verify it"}</summary>
        <VerifyPanel
          trajectory={trajectory}
          schema={schema}
          isOff={isUnsaved}
          onEnded={onVerified}
          onExpect={onExpect}
        />
      </details>
      {isVerified || trajectory.is_approved ? null : (
        <div class="actions">
          <Button
            text="Approve without verifying, and let runs replay it"
            disabled={isBusy || isUnsaved}
            onClick={() => onApprove(true)}
          />
        </div>
      )}
    </section>
  );
}
