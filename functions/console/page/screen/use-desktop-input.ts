import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ApiClient } from "../../../../shared/client/api-client.ts";
import type { BatchResponse } from "../../../../shared/contract/computer/computer-batch.ts";
import { callAny } from "../data/call-any.ts";
import { curlOf } from "../data/curl.ts";
import { useService } from "../data/service.ts";
import { lastWrite } from "../data/use-action.ts";
import { type DesktopAction, operationOf } from "./desktop-action.ts";
import { InputQueue, type InputQueueOptions } from "./input-queue.ts";

export interface DesktopInput {
  /** Does it after all that was given before. @param onDone gets the response of an action that has one. */
  readonly send: (action: DesktopAction, onDone?: (response: unknown) => void) => void;
  readonly isBusy: boolean;
  /** Why the last action failed, until the next one is given. */
  readonly error: unknown;
}

export interface DesktopInputOptions extends InputQueueOptions {
  /** Called for each action that the desktop has performed. */
  readonly onAction?: ((action: DesktopAction) => void) | undefined;
  /** Called after actions have been performed. */
  readonly onDone: () => void;
}

/** The input of one person on one machine: what `LiveScreen` sends, and what a page sends beside it, in one order. */
export function useDesktopInput(machineId: string, options: DesktopInputOptions): DesktopInput {
  const { client } = useService();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const current = useRef(options);
  current.current = options;
  const queue = useMemo(
    () =>
      new InputQueue({
        send: async (actions) => {
          const response = await perform(client, machineId, actions);
          current.current.onDone();
          for (const action of actions) current.current.onAction?.(action);
          return response;
        },
        after: (ms, callback) => void setTimeout(callback, ms),
        now: () => performance.now(),
        onState: ({ isBusy: isBusyNow }) => setBusy(isBusyNow),
        onFailure: (failure) => {
          current.current.onDone();
          setError(failure);
        },
      }),
    [client, machineId],
  );
  const { isStepwise } = options;
  useEffect(() => queue.configure({ isStepwise }), [queue, isStepwise]);
  const send = useMemo<DesktopInput["send"]>(
    () => (action, onDone) => {
      setError(undefined);
      queue.add(action, onDone);
    },
    [queue],
  );
  return { send, isBusy, error };
}

async function perform(
  client: ApiClient,
  machineId: string,
  actions: readonly DesktopAction[],
): Promise<unknown> {
  const path = { machine_id: machineId };
  const [first, second] = actions;
  if (first === undefined) return undefined;
  if (second === undefined) {
    const { type, ...body } = first;
    lastWrite.set(curlOf(location.origin, operationOf[type], { path, body: shown(body, type) }));
    return await callAny(client, operationOf[type], { path, body });
  }
  lastWrite.set(
    curlOf(location.origin, "performBatch", {
      path,
      body: { actions: actions.map(({ type, ...body }) => ({ type, ...shown(body, type) })) },
    }),
  );
  const batch = (await callAny(client, "performBatch", { path, body: { actions } })) as BatchResponse;
  const failed = batch.results.find(({ status }) => status === "failed");
  if (failed !== undefined) throw new Error(failed.error ?? `the action ${failed.type} failed`);
  return batch;
}

/** A text may be a password. */
function shown(body: object, type: DesktopAction["type"]): object {
  return type === "type" ? { ...body, text: "…" } : body;
}
