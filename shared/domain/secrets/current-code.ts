import type { Clock } from "../clock.ts";
import type { OneTimeCodes } from "./one-time-codes.ts";

export interface CurrentCodeDeps {
  readonly codes: OneTimeCodes;
  readonly clock: Clock;
}

/** An expiring code is not typed. */
const codeValidMsMin = 5_000;

/** Waits for the next code where the current one expires before it could be used. @returns undefined for no seed. */
export async function currentCode(
  { codes, clock }: CurrentCodeDeps,
  seed: string,
): Promise<string | undefined> {
  const now = codes.codeAt(seed, clock.now());
  if (now === undefined || now.validMs >= codeValidMsMin) return now?.code;
  await clock.sleep(now.validMs);
  return codes.codeAt(seed, clock.now())?.code;
}
