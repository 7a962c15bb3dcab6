import type { JsonObject } from "../../json.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Acted } from "../desktop.ts";
import type { World } from "../world.ts";
import { settleMs } from "./await-element.ts";
import { actionIdOf } from "./away.ts";

/** What became of an action that was not sent before. */
export type Sent = Exclude<Acted, { readonly kind: "unknown" }>;

/**
 * Sends a step's action once its row says so. What the desktop's call needs before it is sent is seen to meanwhile.
 *
 * @returns undefined when the run is not this execution's any more: nothing was sent.
 */
export async function sendOnce(world: World, step: RunStep, action: JsonObject): Promise<Sent | undefined> {
  const { deps, durable, desktop, tries } = world;
  const allowed = Promise.withResolvers<boolean>();
  const options = { actionId: actionIdOf(step), repeat: false, settleMs, allowed: allowed.promise };
  // Begun first: it makes two calls one after the other before it is sent.
  const acting = desktop.act(action, options);
  const recordedAtMs = deps.clock.now();
  allowed.resolve(deps.executions.recordSending(step, durable.arn, tries));
  const [isOurs, acted] = await Promise.allSettled([allowed.promise, acting]);
  if (isOurs.status === "rejected") throw isOurs.reason;
  if (!isOurs.value) return undefined;
  world.oursAtMs = recordedAtMs;
  if (acted.status === "rejected") throw acted.reason;
  const { value } = acted;
  // Only a repeat is answered so.
  if (value.kind === "unknown") throw new Error("the desktop does not know an action that was sent");
  return value;
}
