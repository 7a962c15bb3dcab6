import { useEffect, useRef, useState } from "preact/hooks";
import type { CallResponse, TaggedOperationId } from "../../../../shared/client/call-types.ts";
import { type Loaded, Loader } from "../data/loader.ts";
import { useService } from "../data/service.ts";
import type { Resource } from "../data/use-call.ts";

export interface Tagged<Body> {
  readonly body: Body;
  /** Sent as `ifMatch` it refuses a write when somebody else has written meanwhile. */
  readonly etag: string;
}

const nothing = { data: undefined, error: undefined, isLoading: true } as const;

/** Reads one resource with the `ETag` that its changes need; `isLive` reads it again every few seconds. */
export function useTagged<const Id extends TaggedOperationId>(
  id: Id,
  path: Readonly<Record<string, string>>,
  { everyMs }: { readonly everyMs?: number | undefined } = {},
): Resource<Tagged<CallResponse<Id>>> {
  const { client } = useService();
  const [state, setState] = useState<Loaded<Tagged<CallResponse<Id>>>>(nothing);
  const reload = useRef<() => Promise<void>>(async () => {});
  const asked = JSON.stringify([id, path]);
  useEffect(() => {
    // The types of all operations at once are too many to compare.
    const read = client.callTagged as (id: string, input: unknown) => Promise<Tagged<CallResponse<Id>>>;
    const loader = new Loader((signal) => read(id, { path, signal }), setState);
    reload.current = loader.reload;
    setState(nothing);
    void loader.reload();
    const timer =
      everyMs === undefined
        ? undefined
        : setInterval(() => document.visibilityState === "visible" && void loader.reload(), everyMs);
    return () => {
      loader.stop();
      clearInterval(timer);
    };
  }, [client, asked, everyMs]);
  return { ...state, reload: async () => await reload.current() };
}
