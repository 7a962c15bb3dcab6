import { useEffect, useRef, useState } from "preact/hooks";
import type {
  CallArguments,
  CallResponse,
  OperationId,
  TaggedOperationId,
} from "../../../../shared/client/call-types.ts";
import { callAny, callAnyTagged, type Tagged } from "./call-any.ts";
import { type Loaded, Loader } from "./loader.ts";
import { isPassing } from "./say-failure.ts";
import { useService } from "./service.ts";

export interface CallOptions {
  /** Hints of these topics make it be read anew: `machines`, `runs`, `machine:<id>`, `run:<id>`. */
  readonly topics?: readonly string[];
  /** It is read anew this often while the tab is seen, for what has no topic. */
  readonly everyMs?: number;
  /** While it is true nothing is read. */
  readonly isOff?: boolean;
}

export interface Resource<Data> extends Loaded<Data> {
  /** Reads anew; resolves once that is done. */
  readonly reload: () => Promise<void>;
}

const againMs = 5_000;

const nothing = { data: undefined, error: undefined, isLoading: true } as const;

/**
 * Reads by an operation of the API, and again when a topic's hint, an interval or the tab's return says so. A change of
 * the input aborts what is under way; the last data stays until the new is there.
 */
export function useCall<const Id extends OperationId>(
  id: Id,
  input?: CallArguments<Id>[0],
  options?: CallOptions,
): Resource<CallResponse<Id>>;
export function useCall(id: string, input?: unknown, options?: CallOptions): Resource<unknown> {
  return useReading(callAny, id, input, options);
}

/** As `useCall`, with the `ETag` that refuses a write, sent as `ifMatch`, when somebody else has written meanwhile. */
export function useTagged<const Id extends TaggedOperationId>(
  id: Id,
  input: CallArguments<Id>[0],
  options?: CallOptions,
): Resource<Tagged<CallResponse<Id>>>;
export function useTagged(id: string, input: unknown, options?: CallOptions): Resource<Tagged<unknown>> {
  return useReading(callAnyTagged, id, input, options);
}

function useReading<Data>(
  call: (
    client: Parameters<typeof callAny>[0],
    id: string,
    input: unknown,
    signal: AbortSignal,
  ) => Promise<Data>,
  id: string,
  input: unknown,
  { topics = [], everyMs, isOff = false }: CallOptions = {},
): Resource<Data> {
  const { client, live } = useService();
  const [state, setState] = useState<Loaded<Data>>(nothing);
  const reload = useRef<() => Promise<void>>(async () => {});
  const asked = JSON.stringify([id, input]);
  const watched = topics.join(" ");

  useEffect(() => {
    if (isOff) return undefined;
    const loader = new Loader((signal) => call(client, id, input, signal), setState);
    reload.current = loader.reload;
    setState(({ data }) => ({ data, error: undefined, isLoading: true }));
    void loader.reload();
    const stops = [
      onReturn(loader.reload),
      everyMs === undefined ? undefined : whileSeen(everyMs, loader.reload),
      watched === "" ? undefined : live.watch(watched.split(" "), () => void loader.reload()),
    ];
    return () => {
      loader.stop();
      for (const stop of stops) stop?.();
    };
  }, [client, live, asked, watched, everyMs, isOff]);

  useEffect(() => {
    if (!isPassing(state.error)) return undefined;
    const timer = setTimeout(() => void reload.current(), againMs);
    return () => clearTimeout(timer);
  }, [state.error]);

  return { ...state, reload: async () => await reload.current() };
}

/** A tab that was away has missed what happened. */
function onReturn(reload: () => Promise<void>): () => void {
  const listener = () => {
    if (document.visibilityState === "visible") void reload();
  };
  document.addEventListener("visibilitychange", listener);
  addEventListener("online", listener);
  return () => {
    document.removeEventListener("visibilitychange", listener);
    removeEventListener("online", listener);
  };
}

function whileSeen(everyMs: number, reload: () => Promise<void>): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === "visible") void reload();
  }, everyMs);
  return () => clearInterval(timer);
}
