import { AsyncLocalStorage } from "node:async_hooks";
import type { Acts, ActUnderWay } from "../domain/audit/act.ts";

/** By Node's own asynchronous context: a request's act reaches what it awaits, and no other request. */
export function createAsyncActs(): Acts {
  const context = new AsyncLocalStorage<ActUnderWay>();
  return {
    run: (act, work) => context.run(act, work),
    current: () => context.getStore(),
  };
}
