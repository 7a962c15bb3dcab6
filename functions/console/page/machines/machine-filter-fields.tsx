import { useEffect, useState } from "preact/hooks";
import { machineStatuses } from "../../../../shared/vocabulary/machines.ts";
import { useCall } from "../data/use-call.ts";
import { Field } from "../parts/field.tsx";
import { setQuery, usePlace } from "../shell/router.ts";

/** Each letter would be a request. */
const settledMs = 250;

/** The filters are in the address. */
export function MachineFilterFields() {
  const { query } = usePlace();
  const pools = useCall("listPools", { query: { limit: 1_000 } });
  const [search, setSearch] = useState(query.search ?? "");
  useEffect(() => {
    if (search === (query.search ?? "")) return undefined;
    const timer = setTimeout(() => setQuery({ search: search || undefined, skip: undefined }), settledMs);
    return () => clearTimeout(timer);
  }, [search]);
  const isTable = query.view === "table";
  return (
    <search class="filters">
      <Field label="Search">
        {(control) => (
          <input
            {...control}
            type="search"
            placeholder="name, host or id"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Status">
        {(control) => (
          <select
            {...control}
            value={query.status ?? ""}
            onChange={({ currentTarget }) =>
              setQuery({ status: currentTarget.value || undefined, skip: undefined })
            }
          >
            <option value="">all</option>
            {machineStatuses.map((status) => (
              <option key={status} value={status}>
                {status === "error" ? "out of service" : status}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Pool">
        {(control) => (
          <select
            {...control}
            value={query.pool ?? ""}
            onChange={({ currentTarget }) =>
              setQuery({ pool: currentTarget.value || undefined, skip: undefined })
            }
          >
            <option value="">all</option>
            {(pools.data?.items ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <fieldset class="views">
        <legend>View</legend>
        <button type="button" aria-pressed={!isTable} onClick={() => setQuery({ view: undefined })}>
          Wall
        </button>
        <button type="button" aria-pressed={isTable} onClick={() => setQuery({ view: "table" })}>
          Table
        </button>
      </fieldset>
    </search>
  );
}
