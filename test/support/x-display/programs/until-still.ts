import { setTimeout as pause } from "node:timers/promises";

const pollMs = 5;
/** Programs on a busy machine pause; a text is called wrong after this long only. */
const stillMs = 4_000;

/** What `read` gives as soon as it is what is expected, else when it has not changed for 4 s. */
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
