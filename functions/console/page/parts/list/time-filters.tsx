import { setQuery, usePlace } from "../../shell/router.ts";
import { Field } from "../form/field.tsx";
import { localText, timeOf } from "./local-time.ts";

/** The range of a list by time, kept in the address as the API's timestamps. */
export function TimeFilters() {
  return (
    <>
      <TimeFilter name="created_at_from" label="From" />
      <TimeFilter name="created_at_to" label="To" />
    </>
  );
}

function TimeFilter({ name, label }: { readonly name: string; readonly label: string }) {
  const at = usePlace().query[name];
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          value={localText(at)}
          onChange={(event) => setQuery({ [name]: timeOf(event.currentTarget.value), skip: undefined })}
        />
      )}
    </Field>
  );
}
