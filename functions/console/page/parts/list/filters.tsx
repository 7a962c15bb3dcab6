import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { setQuery, usePlace } from "../../shell/router.ts";
import { Field } from "../form/field.tsx";
import { TextField } from "../form/text-field.tsx";

/** Each letter would otherwise be a request. */
const pauseMs = 300;

interface TextFilterProps {
  readonly name: string;
  readonly label: string;
  /** What is searched. */
  readonly placeholder?: string;
}

/** A filter of a list, kept in the address. */
export function TextFilter({ name, label, placeholder }: TextFilterProps) {
  const inAddress = usePlace().query[name] ?? "";
  const [text, setText] = useState(inAddress);
  useEffect(() => setText(inAddress), [inAddress]);
  useEffect(() => {
    if (text === inAddress) return undefined;
    const timer = setTimeout(() => setQuery({ [name]: text.trim(), skip: undefined }), pauseMs);
    return () => clearTimeout(timer);
  }, [text, inAddress, name]);
  return <TextField label={label} type="search" value={text} placeholder={placeholder} onText={setText} />;
}

interface ChoiceFilterProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly string[];
  /** @default the choice's own words */
  readonly wordsOf?: (choice: string) => string;
}

export function ChoiceFilter({ name, label, choices, wordsOf = ownWords }: ChoiceFilterProps) {
  const chosen = usePlace().query[name] ?? "";
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={chosen}
          onChange={(event) => setQuery({ [name]: event.currentTarget.value, skip: undefined })}
        >
          <option value="">All</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {wordsOf(choice)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function ownWords(choice: string): string {
  return choice.replaceAll("_", " ");
}

interface MoreFiltersProps {
  /** Names of those inside. */
  readonly names: readonly string[];
  readonly children: ComponentChildren;
}

/** Filters that few need, folded away unless the address has one of them. */
export function MoreFilters({ names, children }: MoreFiltersProps) {
  const { query } = usePlace();
  return (
    <details open={names.some((name) => query[name] !== undefined)}>
      <summary>More filters</summary>
      <div>{children}</div>
    </details>
  );
}
