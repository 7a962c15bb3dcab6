import type { JsonObject } from "../../json.ts";
import type { RunStep } from "../../run-step/run-step.ts";
import type { Acted } from "../desktop.ts";
import { settleMs } from "../screen/await-element.ts";
import { actionIdOf } from "./away.ts";
import type { Invocation } from "./invocation.ts";

/** What became of an action that was not sent before. */
export type Sent = Exclude<Acted, { readonly kind: "unknown" }>;

/**
 * Sends a step's action once its row says so. What the desktop's call needs before it is sent is seen to meanwhile.
 *
 * @returns undefined when the run is not this execution's any more: nothing was sent.
 */
export async function sendOnce(
  invocation: Invocation,
  step: RunStep,
  action: JsonObject,
): Promise<Sent | undefined> {
  const { deps, durable, desktop, tries } = invocation;
  const allowed = Promise.withResolvers<boolean>();
  const options = { actionId: actionIdOf(step), repeat: false, settleMs, allowed: allowed.promise };
  // Begun first: it makes two calls one after the other before it is sent.
  const acting = desktop.act(action, options);
  const recordedAtMs = deps.clock.now();
  allowed.resolve(deps.executions.recordSending(step, durable.arn, tries));
  const [isOurs, acted] = await Promise.allSettled([allowed.promise, acting]);
  if (isOurs.status === "rejected") throw isOurs.reason;
  if (!isOurs.value) return undefined;
  invocation.oursAtMs = recordedAtMs;
  if (acted.status === "rejected") throw acted.reason;
  const { value } = acted;
  // Only a repeat is answered so.
  if (value.kind === "unknown") throw new Error("the desktop does not know an action that was sent");
  return value;
}
