import { setTimeout as pause } from "node:timers/promises";

export async function until(
  isSo: () => boolean | Promise<boolean>,
  withinMs = 120_000,
  pollMs = 50,
): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await isSo()) && performance.now() < endMs) await pause(pollMs);
}
