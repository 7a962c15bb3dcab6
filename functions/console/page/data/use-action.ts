import { useState } from "preact/hooks";
import type { RequestParts } from "../../../../shared/client/build-request.ts";
import type { CallArguments, CallResponse, OperationId } from "../../../../shared/client/call-types.ts";
import { sayDone, sayFailure } from "../parts/toasts.tsx";
import { createStore } from "../shell/store.ts";
import { callAny } from "./call-any.ts";
import { curlOf } from "./curl.ts";
import { useService } from "./service.ts";

/** The last write of this tab, as a command that does the same. */
export const lastWrite = createStore<string | undefined>(undefined);

interface ActionOptions {
  /** Said when it is done, such as "The machine is deleted." */
  readonly done?: string;
  /** The form that acts shows the failure itself; otherwise it is said as a message. */
  readonly isQuiet?: boolean;
}

export interface Action {
  /** @returns the response, or `undefined` when the service refused; `error` says why. */
  readonly act: <const Id extends OperationId>(
    id: Id,
    input: CallArguments<Id>[0],
    options?: ActionOptions,
  ) => Promise<{ readonly body: CallResponse<Id> } | undefined>;
  /** One is under way: the buttons that act are off meanwhile. */
  readonly isBusy: boolean;
  readonly error: unknown;
}

/** Writes by an operation of the API, says how it went, and shows the call. */
export function useAction(): Action {
  const { client } = useService();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const act = async (id: string, input: unknown, { done, isQuiet = false }: ActionOptions = {}) => {
    setBusy(true);
    setError(undefined);
    lastWrite.set(curlOf(location.origin, id, (input ?? {}) as RequestParts));
    try {
      const body = await callAny(client, id, input);
      if (done !== undefined) sayDone(done);
      return { body };
    } catch (failure) {
      setError(failure);
      if (!isQuiet) sayFailure(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { act: act as Action["act"], isBusy, error };
}
