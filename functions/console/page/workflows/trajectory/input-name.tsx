import { useId } from "preact/hooks";
import { placeholdersIn } from "../../../../../shared/vocabulary/placeholders.ts";

interface InputNameProps {
  /** Names to choose from; another one may be written. */
  readonly inputs: readonly string[];
  readonly name: string;
  readonly onName: (name: string) => void;
  /** What joins the field to its label and hint. */
  readonly control?: Readonly<Record<string, string | boolean>>;
}

export function isInputName(name: string): boolean {
  const [found] = placeholdersIn(`{${name}}`);
  return found?.whole === `{${name}}` && !found.isSecret;
}

/** The name of an input, as an own word or one of those that are known. */
export function InputName({ inputs, name, onName, control }: InputNameProps) {
  const id = useId();
  const isFit = isInputName(name);
  return (
    <>
      <input
        {...control}
        list={id}
        value={name}
        placeholder={inputs[0] ?? "item"}
        autoComplete="off"
        aria-invalid={name !== "" && !isFit}
        onInput={({ currentTarget }) => {
          const isNowFit = currentTarget.value === "" || isInputName(currentTarget.value);
          currentTarget.setCustomValidity(isNowFit ? "" : nameRule);
          onName(currentTarget.value);
        }}
      />
      <datalist id={id}>
        {inputs.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}

export const nameRule = "A name begins with a letter and has letters, digits, _, - and dots.";
