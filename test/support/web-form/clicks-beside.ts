/** What a run was to do. */
export interface WantedClicks {
  readonly customer: string;
  /** Whether something lay over the page when it began. */
  readonly isCovered: boolean;
  /** How often the work was to be done. */
  readonly times: number;
}

const fields: ReadonlySet<string> = new Set(["reference", "amount", "save"]);

/**
 * The clicks, by the names of what was clicked, that have nothing to do with the work. Something is closed only where it was in front,
 * and the form is cleared only before the work begins: New clicked for Save is beside.
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
