/** The whole milliseconds of a range of moments, both ends included; undefined where it is open. */
export interface MomentRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/**
 * Reads the ends of a range given as ISO 8601. Everything here is dated to the millisecond, so a start with a finer
 * fraction begins at the next one.
 *
 * @throws {RangeError} for a text that is no moment, which the contract refuses before.
 */
export function momentRange(from: string | undefined, to: string | undefined): MomentRange {
  const isBetween = from !== undefined && /\.\d{3}\d*[1-9]/.test(from);
  return {
    fromMs: from === undefined ? undefined : parseMoment(from) + (isBetween ? 1 : 0),
    toMs: to === undefined ? undefined : parseMoment(to),
  };
}

function parseMoment(text: string): number {
  // Date.parse takes any number of digits and cuts them to milliseconds.
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new RangeError("a timestamp must be ISO 8601");
  return ms;
}
