import { organizationSendsMax } from "../../../vocabulary/events.ts";
import type { Clock } from "../../clock.ts";
import type { Logger } from "../../logger.ts";
import type { DeliveryJob } from "./delivery.ts";
import {
  nextWaitedFor,
  type OrganizationSends,
  type Send,
  type SendStore,
  sendOf,
  type Taken,
} from "./sends.ts";

export interface DeliveryStarter {
  /** Has the attempt begun elsewhere, with another start each time. */
  start(job: DeliveryJob): Promise<void>;
}

export interface StartWaitingDeps {
  readonly sends: Pick<SendStore, "take" | "firstWaiting" | "stopWaiting" | "noneWaiting">;
  readonly deliveryStarter: DeliveryStarter;
  readonly clock: Pick<Clock, "now">;
}

export interface QueueSendDeps extends StartWaitingDeps {
  readonly sends: StartWaitingDeps["sends"] & Pick<SendStore, "wait">;
}

export interface EndSendDeps extends StartWaitingDeps {
  readonly sends: StartWaitingDeps["sends"] & Pick<SendStore, "end">;
  readonly logger: Logger;
}

/** Starts an attempt that has a place; without one it waits. May be repeated: an attempt that is begun is not begun again. */
export async function queueSend(deps: QueueSendDeps, job: DeliveryJob): Promise<void> {
  await startOrWait(deps, job, await deps.sends.take(sendOf(job), "new"));
}

export async function startOrWait(deps: QueueSendDeps, job: DeliveryJob, { kind }: Taken): Promise<void> {
  if (kind === "taken") await deps.deliveryStarter.start(job);
  else await startWaiting(deps, await deps.sends.wait(job));
}

/** Gives the place back, and starts what waits for one. The sweeper starts what this could not. */
export async function endSend(deps: EndSendDeps, send: Send, pausedUntilMs?: number | null): Promise<void> {
  const sends = await deps.sends.end(send, pausedUntilMs);
  try {
    await startWaiting(deps, sends);
  } catch (cause) {
    deps.logger.warn("deliveries that wait could not be started", {
      organization_id: send.organizationId,
      cause,
    });
  }
}

/**
 * Starts the deliveries that wait and have room, the oldest of an endpoint first. Returns their number. Sends that end at
 * once start each one once, since the place is taken by one of them.
 */
export async function startWaiting(deps: StartWaitingDeps, found: OrganizationSends): Promise<number> {
  const held = new Map<string, Set<string>>();
  const startedByOthers = new Set<string>();
  let [sends, started] = [found, 0];
  // Others start some of them meanwhile, so looking is bounded.
  for (let looks = 0; looks < 2 * organizationSendsMax; looks += 1) {
    const endpoint = nextWaitedFor(sends, deps.clock.now(), startedByOthers);
    if (endpoint === undefined) break;
    const others = held.get(endpoint.id);
    const job = await deps.sends.firstWaiting(sends.organizationId, endpoint.id, others);
    if (job === undefined) {
      if (others !== undefined) startedByOthers.add(endpoint.id);
      else sends = await deps.sends.noneWaiting(sends, endpoint.id);
      continue;
    }
    const taken = await deps.sends.take(sendOf(job), "waited");
    sends = taken.sends;
    if (taken.kind === "held") held.set(endpoint.id, new Set(others).add(sendOf(job).id));
    if (taken.kind !== "taken") continue;
    await deps.deliveryStarter.start(job);
    await deps.sends.stopWaiting(job);
    started += 1;
  }
  return started;
}
