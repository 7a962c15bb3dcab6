import { useEffect, useState } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import { setQuery, usePlace } from "../../shell/router.ts";

/** Whoever types is not asked for each letter. */
const pauseMs = 250;

export function Search({ label, hint }: { readonly label: string; readonly hint: string }) {
  const { query } = usePlace();
  const given = query.search ?? "";
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return undefined;
    const timer = setTimeout(() => setQuery({ search: text, skip: undefined }), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search class="filters">
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            type="search"
            value={text}
            placeholder={hint}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
    </search>
  );
}
