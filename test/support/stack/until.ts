import { setTimeout as pause } from "node:timers/promises";

/** Waits until it is so, for that long at most, which is no measure; what is expected is asserted afterwards. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  withinMs = 60_000,
  pollMs = 50,
): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await isSo()) && performance.now() < endMs) await pause(pollMs);
}
