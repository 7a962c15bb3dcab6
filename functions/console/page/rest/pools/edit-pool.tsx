import { useRef, useState } from "preact/hooks";
import type { PoolDetail, UpdatePoolBody } from "../../../../../shared/contract/pool.ts";
import type { Tagged } from "../../data/call-any.ts";
import { useAction } from "../../data/use-action.ts";
import type { ShownFields } from "../../parts/changes/changes-between.ts";
import { EditFailure } from "../../parts/changes/edit-failure.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { poolForm } from "./pool-form.ts";

const fields: ShownFields<PoolDetail> = {
  Name: ({ name }) => name,
  Description: ({ description }) => description,
  Inputs: (pool) => JSON.stringify(pool.pool_parameters, null, 2),
  "Secret inputs": (pool) => Object.keys(pool.pool_sensitive_parameters).join(", "),
};

interface EditPoolProps {
  /** As it is now. */
  readonly pool: Tagged<PoolDetail>;
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

export function EditPool({ pool, reload, onClose }: EditPoolProps) {
  const { act, isBusy, error } = useAction();
  const [base, setBase] = useState(pool);
  const sent = useRef<UpdatePoolBody>({});
  const { body } = base;
  const save = async (ifMatch: string) => {
    const input = { path: { pool_id: body.id }, body: sent.current, ifMatch };
    const saved = await act("updatePool", input, { done: "The pool is saved.", isQuiet: true });
    if (saved === undefined) return;
    onClose();
    await reload();
  };
  return (
    <FormDialog
      key={base.etag}
      title="Edit the pool"
      schema={poolForm}
      before={{
        name: body.name,
        description: body.description,
        pool_parameters: JSON.stringify(body.pool_parameters, null, 2),
      }}
      verb="Save"
      isBusy={isBusy}
      error={undefined}
      onClose={onClose}
      onSubmit={(values) => {
        sent.current = values as UpdatePoolBody;
        void save(base.etag);
      }}
    >
      <EditFailure
        error={error}
        base={base}
        now={pool}
        fields={fields}
        reload={reload}
        onTheirs={() => setBase(pool)}
        onMine={() => void save(pool.etag)}
      />
    </FormDialog>
  );
}
