import { forEachBounded } from "../../bounded-parallel.ts";
import { type StartWaitingDeps, startWaiting } from "./queue-send.ts";
import type { SendStore } from "./sends.ts";

export interface StartDueDeliveriesDeps extends StartWaitingDeps {
  readonly sends: StartWaitingDeps["sends"] & Pick<SendStore, "listDue">;
}

const organizationsPerRun = 200;

/** Starts deliveries that wait where no send's end did: after a crash, or when an endpoint's pause is over. */
export async function startDueDeliveries(deps: StartDueDeliveriesDeps): Promise<number> {
  let started = 0;
  await forEachBounded(await deps.sends.listDue(organizationsPerRun), async (sends) => {
    started += await startWaiting(deps, sends);
  });
  return started;
}
