import { machineStatuses } from "../../../../shared/vocabulary/machines.ts";
import { useCall } from "../data/use-call.ts";
import { Button } from "../parts/button.tsx";
import { ChoiceFilter, TextFilter } from "../parts/list/filters.tsx";
import { setQuery, usePlace } from "../shell/router.ts";

/** The filters are in the address. */
export function MachineFilterFields() {
  const { query } = usePlace();
  const pools = useCall("listPools", { query: { limit: 1_000 } });
  const names = new Map(pools.data?.items.map(({ id, name }) => [id, name]));
  const isTable = query.view === "table";
  return (
    <search class="filters">
      <TextFilter name="search" label="Search" placeholder="name, host or id" />
      <ChoiceFilter
        name="status"
        label="Status"
        choices={machineStatuses}
        wordsOf={(status) => (status === "error" ? "out of service" : status)}
      />
      <ChoiceFilter
        name="pool"
        label="Pool"
        choices={[...names.keys()]}
        wordsOf={(id) => names.get(id) ?? id}
      />
      <fieldset class="views">
        <legend>View</legend>
        <Button text="Wall" aria-pressed={!isTable} onClick={() => setQuery({ view: undefined })} />
        <Button text="Table" aria-pressed={isTable} onClick={() => setQuery({ view: "table" })} />
      </fieldset>
    </search>
  );
}
