import type { Logger } from "../logger.ts";
import type { Wait, WaitingPlace, WaitingPlaces } from "./waiting-places.ts";

export interface WaitingPlaceDeps {
  readonly waitingPlaces: WaitingPlaces;
  readonly logger: Logger;
}

/** Does the work only while it has a place; without one, the caller decides what comes instead. */
export async function inWaitingPlace<Result>(
  deps: WaitingPlaceDeps,
  wait: Wait,
  work: () => Promise<Result>,
): Promise<{ readonly kind: "waited"; readonly result: Result } | { readonly kind: "full" }> {
  const place = await deps.waitingPlaces.take(wait);
  if (place === undefined) return { kind: "full" };
  try {
    return { kind: "waited", result: await work() };
  } finally {
    await giveBack(deps, place);
  }
}

/** The caller gets the response in any case; a place that stays taken is free when its lease ends. */
async function giveBack({ waitingPlaces, logger }: WaitingPlaceDeps, place: WaitingPlace): Promise<void> {
  try {
    await waitingPlaces.giveBack(place);
  } catch (cause) {
    logger.warn("a place of a waiting request stays taken until its lease ends", { cause });
  }
}
