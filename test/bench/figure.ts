/** One row of the table that `npm run bench` prints. */
export interface Figure {
  readonly figure: string;
  readonly measured: string;
  /** The target; "" for a figure that is only reported. */
  readonly target: string;
  readonly isReached?: boolean;
}

/** A measurement: its name on the command line, and the rows it gives. */
export interface Measurement {
  readonly name: string;
  readonly measure: () => Promise<readonly Figure[]>;
  /** True if a test does the same, small, so that a smoke need not. */
  readonly isTested?: boolean;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new Error("nothing was measured");
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(Math.ceil((percent / 100) * sorted.length), 1);
  return sorted[rank - 1] ?? Number.NaN;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}
