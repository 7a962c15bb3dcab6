export interface WantedClicks {
  readonly customer: string;
  readonly isCovered: boolean;
  readonly times: number;
}

const fields: ReadonlySet<string> = new Set(["reference", "amount", "save"]);

/**
 * The names of clicks that have nothing to do with the work. Something may be closed only where it was in front, and
 * the form may be cleared only before the work begins: New clicked for Save is beside the work.
 */
export function clicksBeside(
  clicked: readonly string[],
  { customer, isCovered, times }: WantedClicks,
): readonly string[] {
  let isInFront = isCovered;
  let isBegun = false;
  let saves = 0;
  return clicked.filter((name) => {
    if (name === "new") return isBegun || saves >= times;
    if (name === "close") {
      const wasInFront = isInFront;
      isInFront = false;
      return !wasInFront;
    }
    if (name === customer) isBegun = true;
    if (name === "save") {
      isBegun = false;
      saves += 1;
    }
    return name !== customer && !fields.has(name);
  });
}
