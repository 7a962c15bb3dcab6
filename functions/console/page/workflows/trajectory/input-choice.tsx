import { useId, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { InputName, isInputName, nameRule } from "./input-name.tsx";

interface InputChoiceProps {
  /** Names to choose from; another one may be written. */
  readonly inputs: readonly string[];
  readonly onName: (name: string) => void;
}

/** The name of an input, as an own word or one of those that are known. */
export function InputChoice({ inputs, onName }: InputChoiceProps) {
  const id = useId();
  const [name, setName] = useState("");
  const isName = isInputName(name);
  return (
    <div class="field">
      <label for={id}>Input</label>
      <div class="pair">
        <InputName
          inputs={inputs}
          name={name}
          control={{ id, "aria-describedby": `${id}-hint` }}
          onName={setName}
        />
        <Button text="Make it an input" disabled={!isName} onClick={() => onName(name)} />
      </div>
      <p class="hint" id={`${id}-hint`}>
        {name !== "" && !isName ? nameRule : "Each run gives its own value of it."}
      </p>
    </div>
  );
}
