import type { PoolDetail, UpdatePoolBody } from "../../../../../shared/contract/pool.ts";
import type { Tagged } from "../../data/call-any.ts";
import type { ShownFields } from "../../parts/changes/changes-between.ts";
import { EditDialog } from "../../parts/changes/edit-dialog.tsx";
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
  return (
    <EditDialog
      title="Edit the pool"
      schema={poolForm}
      now={pool}
      fields={fields}
      textsOf={({ name, description, pool_parameters }) => ({
        name,
        description,
        pool_parameters: JSON.stringify(pool_parameters, null, 2),
      })}
      save={async (act, values, ifMatch) =>
        await act(
          "updatePool",
          { path: { pool_id: pool.body.id }, body: values as UpdatePoolBody, ifMatch },
          { done: "The pool is saved.", isQuiet: true },
        )
      }
      reload={reload}
      onClose={onClose}
    />
  );
}
