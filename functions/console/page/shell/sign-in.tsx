import { useState } from "preact/hooks";
import { ApiError } from "../../../../shared/client/api-error.ts";
import { clientOf, fetchWith } from "../data/service.ts";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { signedOutBecause, signIn } from "./session.ts";
import { useStore } from "./store.ts";

/** @throws {ApiError} when the service refuses the credentials. */
export async function signInWith(credentials: string): Promise<void> {
  const authorized = fetchWith(
    () => credentials,
    () => {},
  );
  signIn(credentials, await clientOf(authorized).call("getCaller"));
}

export function SignIn() {
  const because = useStore(signedOutBecause);
  const [key, setKey] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await signInWith(key.trim());
    } catch (failure) {
      setError(
        failure instanceof ApiError || failure instanceof Error ? failure : new Error(String(failure)),
      );
      setBusy(false);
    }
  };
  return (
    <main class="sign-in" id="main">
      <PageHeader title="Sign in" />
      {because === undefined ? null : <p role="status">{because}</p>}
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label="API key" hint="It is kept for this tab alone, and forgotten when the tab is closed.">
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="off"
              spellcheck={false}
              required
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
        {error === undefined ? null : <Failure error={error} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            Sign in
          </button>
        </div>
      </form>
    </main>
  );
}
