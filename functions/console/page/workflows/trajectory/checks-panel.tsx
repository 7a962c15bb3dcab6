import { useState } from "preact/hooks";
import type { Trajectory } from "../../../../../shared/contract/trajectory/trajectory.ts";
import { Button } from "../../parts/button.tsx";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { countOf } from "../count-of.ts";

type Checks = NonNullable<Trajectory["checks"]>;
type Pieces = NonNullable<Trajectory["expect"]>;

interface ChecksPanelProps {
  readonly expect: Pieces;
  readonly checks: Checks;
  readonly resetCount: number;
  readonly isReadOnly: boolean;
  readonly onExpect: (expect: Pieces) => void;
  readonly onChecks: (checks: Checks) => void;
}

/** What a replay's end is judged by. */
export function ChecksPanel(props: ChecksPanelProps) {
  const { expect, checks, resetCount, isReadOnly, onExpect, onChecks } = props;
  const [kind, setKind] = useState<"sentence" | "file">("sentence");
  const [text, setText] = useState("");
  const add = () => {
    onChecks([...checks, kind === "file" ? { kind, path: text } : { kind, text }]);
    setText("");
  };
  return (
    <section class="panel" aria-label="The end">
      <h2>The end must show</h2>
      {expect.length + checks.length === 0 ? (
        <p class="hint">Nothing yet: a run that went wrong would be a success if only each step was done.</p>
      ) : null}
      <ul class="expected">
        {expect.map((piece, at) => (
          <li key={`${piece.x} ${piece.y}`}>
            <img src={`data:image/png;base64,${piece.png}`} alt={`Part ${at + 1} of the last screen`} />
            {isReadOnly ? null : (
              <Button
                text="✕"
                class="small plain"
                aria-label={`Remove part ${at + 1}`}
                onClick={() => onExpect(expect.toSpliced(at, 1))}
              />
            )}
          </li>
        ))}
        {checks.map((check, at) => (
          <li key={at}>
            {check.kind === "file" ? (
              <span>
                the file <code>{check.path}</code>
              </span>
            ) : (
              <span>“{check.text}”, which a model judges</span>
            )}
            {isReadOnly ? null : (
              <Button
                text="✕"
                class="small plain"
                aria-label={`Remove check ${at + 1}`}
                onClick={() => onChecks(checks.toSpliced(at, 1))}
              />
            )}
          </li>
        ))}
      </ul>
      {isReadOnly || checks.length >= 8 ? null : (
        <details>
          <summary>Add a check</summary>
          <ChoiceField
            label="Kind"
            value={kind}
            choices={[
              ["sentence", "a sentence that a model judges on the last picture"],
              ["file", "a file that must be there"],
            ]}
            onChoose={(chosen) => setKind(chosen as typeof kind)}
          />
          <TextField
            label={kind === "file" ? "Path" : "Sentence"}
            value={text}
            placeholder={kind === "file" ? "Transfers/invoice.pdf" : "The invoice has a number."}
            onText={setText}
          />
          <Button text="Add it" class="small" disabled={text === ""} onClick={add} />
        </details>
      )}
      {resetCount === 0 ? null : (
        <p class="hint">
          {countOf(resetCount, "more step")}: back to the first screen, where a run does not find it.
        </p>
      )}
    </section>
  );
}
