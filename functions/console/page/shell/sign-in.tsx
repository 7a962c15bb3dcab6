import { useState } from "preact/hooks";
import type { ConsoleSignIn } from "../../../../shared/contract/console.ts";
import { Button } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Form } from "../parts/form/form.tsx";
import { TextField } from "../parts/form/text-field.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { ofKey, signInAtIssuer, signInWith } from "./enter.ts";
import { signedOutBecause } from "./session.ts";
import { useStore } from "./store.ts";

interface SignInProps {
  /** `null` where an API key is the only way. */
  readonly signIn: ConsoleSignIn | null;
}

export function SignIn({ signIn }: SignInProps) {
  const because = useStore(signedOutBecause);
  const [key, setKey] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await signInWith(ofKey(key.trim()));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const leave = async (at: ConsoleSignIn) => {
    try {
      await signInAtIssuer(at, location.pathname + location.search);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <main class="sign-in" id="main">
      <PageHeader title="Sign in" />
      {because === undefined ? null : <p role="status">{because}</p>}
      {signIn === null ? null : (
        <div class="panel">
          <p>With the account that you have at {new URL(signIn.authorizeUrl).host}:</p>
          <Button text="Sign in" class="primary" onClick={() => leave(signIn)} />
        </div>
      )}
      <Form class="panel" onSubmit={submit}>
        <TextField
          label="API key"
          hint="It is kept for this tab alone, and forgotten when the tab is closed."
          type="password"
          autoComplete="off"
          spellcheck={false}
          required
          value={key}
          onText={setKey}
        />
        {error === undefined ? null : <Failure error={error} />}
        <div class="actions">
          <button type="submit" class={signIn === null ? "primary" : undefined} disabled={isBusy}>
            Sign in with the key
          </button>
        </div>
      </Form>
    </main>
  );
}
