import { isoTimestamp } from "./clock.ts";

/** The last 12 digits of a UUID of version 7 are random; the offset is added to all of them. */
const tailDigits = 12;

/** Adds `number` to a UUID of version 7. The ids are ordered, and the same in a retry. */
export function deriveId(id: string, number: number): string {
  const tail = Number.parseInt(id.slice(-tailDigits), 16);
  const next = (tail + number) % 2 ** (4 * tailDigits);
  return id.slice(0, -tailDigits) + next.toString(16).padStart(tailDigits, "0");
}

/** The id of version 7 at another time with the same random part. */
export function idAtTime(id: string, ms: number): string {
  const time = ms.toString(16).padStart(tailDigits, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(tailDigits + 1)}`;
}

/** Runs and machines are created at the time in their id, so that the id alone says where in a list they are, or were. */
export function createdAtOfId(id: string): string {
  return isoTimestamp(timestampOfId(id));
}

export function timestampOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
