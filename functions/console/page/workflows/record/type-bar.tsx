import { useId, useState } from "preact/hooks";
import { isInputName } from "../trajectory/input-choice.tsx";
import { type TextKind, type TypedText, typedText } from "./typed-text.ts";

interface TypeBarProps {
  /** Names of inputs that are known. */
  readonly inputs: readonly string[];
  /** Aliases of the machine's secrets. */
  readonly secrets: readonly string[];
  readonly onText: (typed: TypedText) => void;
}

/** Types a text into what has the desktop's focus: the same in each run, an input of the run, or a secret. */
export function TypeBar({ inputs, secrets, onText }: TypeBarProps) {
  const id = useId();
  const [kind, setKind] = useState<TextKind>("input");
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const isFit = kind !== "input" || isInputName(name);
  const typed = isFit
    ? typedText(kind, text, kind === "secret" ? name || (secrets[0] ?? "") : name)
    : undefined;
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
      <label>
        Type
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
            a secret of the machine
          </option>
        </select>
      </label>
      {kind === "input" ? (
        <label>
          named
          <input
            list={`${id}-inputs`}
            value={name}
            placeholder="customer"
            autoComplete="off"
            aria-invalid={name !== "" && !isFit}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <datalist id={`${id}-inputs`}>
            {inputs.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </label>
      ) : null}
      {kind === "secret" ? (
        <label>
          named
          <select value={name || secrets[0]} onChange={(event) => setName(event.currentTarget.value)}>
            {secrets.map((alias) => (
              <option key={alias} value={alias}>
                {alias}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <label>
          {kind === "input" ? "this time" : "text"}
          <input value={text} autoComplete="off" onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      )}
      <button type="submit" class="primary" disabled={typed === undefined}>
        Type it
      </button>
    </form>
  );
}
