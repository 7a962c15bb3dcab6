import { setTimeout as pause } from "node:timers/promises";

const pollMs = 5;
/** Programs on a busy machine pause, so a text is wrong only after this long. */
const stillMs = 4_000;

/** Returns the text of `read` as soon as it is the expected one, otherwise once it has not changed for 4 s. */
export async function untilStill(read: () => Promise<string>, expected: string): Promise<string> {
  let latest = await read();
  let changedAt = Date.now();
  while (latest !== expected && Date.now() - changedAt < stillMs) {
    await pause(pollMs);
    const next = await read();
    if (next !== latest) changedAt = Date.now();
    latest = next;
  }
  return latest;
}
