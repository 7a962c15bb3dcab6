import { useEffect } from "preact/hooks";
import { ApiError } from "../../../../../shared/client/api-error.ts";
import type { Tagged } from "../../data/call-any.ts";
import { Button } from "../button.tsx";
import { Failure } from "../failure.tsx";
import { changesBetween, type ShownFields } from "./changes-between.ts";
import { Difference } from "./difference.tsx";

interface EditFailureProps<Body> {
  /** Why the write was refused. */
  readonly error: unknown;
  /** The resource as it was when the edit began, whose tag was sent, and as it is now. */
  readonly base: Tagged<Body>;
  readonly now: Tagged<Body>;
  readonly fields: ShownFields<Body>;
  readonly reload: () => Promise<void>;
  /** The edit begins anew with what the others have saved. */
  readonly onTheirs: () => void;
  /** The same write is sent again, with the tag of the resource as it is now. */
  readonly onMine: () => void;
}

/** Says why an edit is not saved; where somebody else was faster, what they changed, and the two ways on. */
export function EditFailure<Body>(props: EditFailureProps<Body>) {
  const { error, base, now, fields, reload, onTheirs, onMine } = props;
  const isOvertaken = error instanceof ApiError && error.errorCode === "changed_meanwhile";
  useEffect(() => {
    if (isOvertaken) void reload();
  }, [error]);
  if (error === undefined) return null;
  if (!isOvertaken) return <Failure error={error} />;
  if (now.etag === base.etag) return null;
  const changes = changesBetween(base.body, now.body, fields);
  return (
    <div class="panel overtaken" role="alert">
      <p>Somebody else has saved meanwhile, so that nothing of yours is written yet.</p>
      {changes.length === 0 ? <p>They changed what is not shown, such as a secret’s value.</p> : null}
      {changes.map(({ name, before, after }) => (
        <section key={name}>
          <h3>{name}</h3>
          <Difference before={before} after={after} />
        </section>
      ))}
      <div class="actions">
        <Button text="Show theirs, give up mine" class="small" onClick={onTheirs} />
        <Button text="Save mine all the same" class="small" onClick={onMine} />
      </div>
    </div>
  );
}
