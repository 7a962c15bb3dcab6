/** Amounts of a measurement that the command line can set. */
export interface Amounts {
  /** Number of workflows that are recorded. */
  readonly workflows: number;
  /** Number of runs of each. */
  readonly times: number;
}

/**
 * Options of the command line above what a measurement does by itself.
 *
 * @throws {Error} for one that is no number of at least 1.
 */
export function amountsOf(
  options: { readonly workflows?: string | undefined; readonly times?: string | undefined },
  usual: Amounts,
): Amounts {
  return {
    workflows: numberOf("workflows", options.workflows, usual.workflows),
    times: numberOf("times", options.times, usual.times),
  };
}

/** @throws {Error} for an option that is no number of at least 1. */
export function numberOf(name: string, text: string | undefined, usual = Number.NaN): number {
  const number = text === undefined ? usual : Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${name} is a number of at least 1, not ${text}`);
  return number;
}
