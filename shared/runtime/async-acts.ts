import { AsyncLocalStorage } from "node:async_hooks";
import type { Acts, ActUnderWay } from "../domain/audit/act.ts";

/** Node's own asynchronous context carries a request's act to the calls that it awaits, and to no other request. */
export function createAsyncActs(): Acts {
  const context = new AsyncLocalStorage<ActUnderWay>();
  return {
    run: (act, work) => context.run(act, work),
    current: () => context.getStore(),
  };
}
