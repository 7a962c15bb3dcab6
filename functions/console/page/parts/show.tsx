import type { ComponentChildren } from "preact";
import type { Resource } from "../data/use-call.ts";
import { Failure } from "./failure.tsx";

interface ShowProps<Data> {
  readonly of: Resource<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

/** What was read; before that a line that it loads; above it what kept it from being read anew. */
export function Show<Data>({ of: { data, error, reload }, children }: ShowProps<Data>) {
  return (
    <>
      {error === undefined ? null : <Failure error={error} onRetry={() => void reload()} />}
      {data !== undefined ? children(data) : error === undefined ? <p class="loading">Loading …</p> : null}
    </>
  );
}
