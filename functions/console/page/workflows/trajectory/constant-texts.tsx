import { useState } from "preact/hooks";
import { Form } from "../../parts/form/form.tsx";
import { countOf } from "../count-of.ts";
import { InputName, isInputName } from "./input-name.tsx";

interface ConstantTextsProps {
  /** Texts that each run types as they were recorded, by the element's place. */
  readonly constants: readonly { readonly place: number; readonly text: string }[];
  /** Names that they may become. */
  readonly inputs: readonly string[];
  readonly isBusy: boolean;
  readonly onInput: (place: number, name: string) => void;
}

/** What is typed the same in each run, to be named as an input where it should not be. */
export function ConstantTexts({ constants, inputs, isBusy, onInput }: ConstantTextsProps) {
  if (constants.length === 0) return null;
  return (
    <>
      <p>
        Each run types {constants.length === 1 ? "this text" : `these ${countOf(constants.length, "text")}`}{" "}
        as recorded. Name what should differ from run to run:
      </p>
      <ul class="constants" aria-label="Typed the same in each run">
        {constants.map(({ place, text }) => (
          <li key={place}>
            <ConstantText
              place={place}
              text={text}
              inputs={inputs}
              isBusy={isBusy}
              onName={(name) => onInput(place, name)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ConstantTextProps {
  readonly place: number;
  readonly text: string;
  readonly inputs: readonly string[];
  readonly isBusy: boolean;
  readonly onName: (name: string) => void;
}

function ConstantText({ place, text, inputs, isBusy, onName }: ConstantTextProps) {
  const [name, setName] = useState("");
  return (
    <Form
      onSubmit={() => {
        if (isInputName(name)) onName(name);
      }}
    >
      <span>
        Step {place + 1}: <code>{text.slice(0, 60)}</code>
      </span>
      <InputName
        inputs={inputs}
        name={name}
        control={{ required: true, "aria-label": `Name of the input that step ${place + 1} types` }}
        onName={setName}
      />
      <button type="submit" disabled={isBusy}>
        Make it an input
      </button>
    </Form>
  );
}
