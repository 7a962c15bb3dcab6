import { setTimeout } from "node:timers/promises";
import { v7 } from "uuid";
import type { Clock, Ids } from "../domain/clock.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => setTimeout(ms),
};

export const systemIds: Ids = { uuid7: () => v7() };
