import { useId, useState } from "preact/hooks";
import { InputName, isInputName } from "../trajectory/input-name.tsx";
import { type TextKind, type TypedText, typedText } from "./typed-text.ts";

interface TypeBarProps {
  /** Names of inputs that are known. */
  readonly inputs: readonly string[];
  /** Aliases of the secrets of the machine and its pools. */
  readonly secrets: readonly string[];
  readonly onText: (typed: TypedText) => void;
}

/** Types a text into what has the desktop's focus: an input of the run, the same in each run, or a secret. */
export function TypeBar({ inputs, secrets, onText }: TypeBarProps) {
  const nameId = useId();
  const [kind, setKind] = useState<TextKind>("input");
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const isFit = kind !== "input" || isInputName(name);
  const isSecret = kind === "secret" || kind === "code";
  const typed = isFit ? typedText(kind, text, isSecret ? name || (secrets[0] ?? "") : name) : undefined;
  return (
    <form
      class="type-bar"
      aria-label="Type into the desktop"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === undefined) return;
        onText(typed);
        setText("");
        setName("");
      }}
    >
      {isSecret ? null : (
        <label>
          Type
          <input
            required
            value={text}
            placeholder={kind === "input" ? "Desk lamp" : ""}
            autoComplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      )}
      <label>
        {isSecret ? "Type" : "as"}
        <select
          value={kind}
          onChange={(event) => {
            setKind(event.currentTarget.value as TextKind);
            setName("");
          }}
        >
          <option value="input">an input of each run</option>
          <option value="text">the same text in each run</option>
          <option value="secret" disabled={secrets.length === 0}>
            {secrets.length === 0 ? "a secret (the machine has none)" : "a secret"}
          </option>
          <option value="code" disabled={secrets.length === 0}>
            a one-time code
          </option>
        </select>
      </label>
      {kind === "input" ? (
        <label for={nameId}>
          named
          <InputName inputs={inputs} name={name} control={{ id: nameId, required: true }} onName={setName} />
        </label>
      ) : null}
      {isSecret ? (
        <label>
          {kind === "code" ? "of the seed" : "named"}
          <select value={name || secrets[0]} onChange={(event) => setName(event.currentTarget.value)}>
            {secrets.map((alias) => (
              <option key={alias} value={alias}>
                {alias}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <button type="submit" class="primary">
        Type it
      </button>
    </form>
  );
}
