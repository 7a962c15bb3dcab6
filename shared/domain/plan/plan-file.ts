import type { Plan } from "./plan.ts";

/** A plan's pictures are in base64: a few kilobytes each. */
export const planBytesMax = 16_000_000;

export function encodePlan(plan: Plan): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(plan));
}

/** Reads what `encodePlan` has made: nobody else writes there. */
export function decodePlan(file: Uint8Array): Plan {
  return JSON.parse(new TextDecoder().decode(file)) as Plan;
}
