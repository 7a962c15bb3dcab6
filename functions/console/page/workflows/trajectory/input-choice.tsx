import { useId, useState } from "preact/hooks";
import { placeholdersIn } from "../../../../../shared/vocabulary/placeholders.ts";

interface InputChoiceProps {
  /** Names to choose from; another one may be written. */
  readonly inputs: readonly string[];
  readonly verb: string;
  readonly onName: (name: string) => void;
}

export function isInputName(name: string): boolean {
  const [found] = placeholdersIn(`{${name}}`);
  return found?.whole === `{${name}}` && !found.isSecret;
}

/** The name of an input, as an own word or one of those that are known. */
export function InputChoice({ inputs, verb, onName }: InputChoiceProps) {
  const id = useId();
  const [name, setName] = useState("");
  const isName = isInputName(name);
  return (
    <div class="field">
      <label for={id}>Input</label>
      <div class="pair">
        <input
          id={id}
          list={`${id}-names`}
          value={name}
          placeholder="customer"
          autoComplete="off"
          aria-invalid={name !== "" && !isName}
          aria-describedby={`${id}-hint`}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <datalist id={`${id}-names`}>
          {inputs.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <button type="button" disabled={!isName} onClick={() => onName(name)}>
          {verb}
        </button>
      </div>
      <p class="hint" id={`${id}-hint`}>
        {name !== "" && !isName
          ? "A name begins with a letter and has letters, digits, _, - and dots."
          : "Each run gives its own value of it."}
      </p>
    </div>
  );
}
