import { setTimeout } from "node:timers/promises";
import type { Clock } from "../domain/clock.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => setTimeout(ms),
};
