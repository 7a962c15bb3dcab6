import { useState } from "preact/hooks";
import type { CreatePoolBody } from "../../../../../shared/contract/pool.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { TextFilter } from "../../parts/list/filters.tsx";
import { PagedTable } from "../../parts/list/paged-table.tsx";
import { pageSize, useSkip } from "../../parts/list/pager.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate, usePlace } from "../../shell/router.ts";
import { poolForm } from "./pool-form.ts";

export function PoolList() {
  const can = useCan();
  const skip = useSkip();
  const { search } = usePlace().query;
  const pools = useCall("listPools", { query: { limit: pageSize, skip, ...(search && { search }) } });
  const [isCreating, setCreating] = useState(false);
  const create = can("write") ? (
    <Button text="New pool" class="primary" onClick={() => setCreating(true)} />
  ) : null;
  return (
    <>
      <PageHeader title="Pools">{create}</PageHeader>
      <div class="filters">
        <TextFilter name="search" label="Search" />
      </div>
      <PagedTable
        of={pools}
        caption="Pools"
        empty={
          <Empty
            text={
              search
                ? "No pool has this text."
                : "There is no pool yet. Runs can name one in place of a machine."
            }
          >
            {search ? null : create}
          </Empty>
        }
        columns={[
          { title: "Name", cell: ({ id, name }) => <a href={hrefOf("pools", id)}>{name}</a> },
          { title: "Machines", isNumber: true, cell: (pool) => pool.machine_count },
          { title: "Description", isMinor: true, cell: ({ description }) => description },
          { title: "Changed", isMinor: true, cell: (pool) => <RelativeTime at={pool.updated_at} /> },
        ]}
      />
      {isCreating ? <CreatePool onClose={() => setCreating(false)} /> : null}
    </>
  );
}

function CreatePool({ onClose }: { readonly onClose: () => void }) {
  const { act, isBusy, error } = useAction();
  return (
    <FormDialog
      title="New pool"
      schema={poolForm}
      verb="Create"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={async (values) => {
        const options = { done: "The pool is there.", isQuiet: true };
        const created = await act("createPool", { body: values as CreatePoolBody }, options);
        if (created !== undefined) navigate(hrefOf("pools", created.body.id));
      }}
    />
  );
}
