import { v7 } from "uuid";
import type { Clock, Ids } from "../domain/clock.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms) =>
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
    }),
};

export const systemIds: Ids = { uuid7: () => v7() };
