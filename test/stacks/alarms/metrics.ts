import { LocalMetrics } from "../../../infra/local/local-metrics.ts";

export interface MetricId {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface Sample extends MetricId {
  readonly value: number;
}

export interface MetricFilter extends Omit<MetricId, "dimensions"> {
  readonly logGroup: string;
  readonly pattern: string;
}

function keyOf({ namespace, name, dimensions }: MetricId): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
}

/** The samples of each metric by the minute, over those that a base has of other metrics or of the same. */
export class Metrics {
  readonly #base: Metrics | undefined;
  readonly #silenced: ReadonlySet<string>;
  readonly #samples = new Map<string, Map<number, number[]>>();

  constructor(base?: Metrics, silenced: readonly MetricId[] = []) {
    this.#base = base;
    this.#silenced = new Set(silenced.map(keyOf));
  }

  put(minute: number, samples: readonly Sample[]): void {
    for (const { value, ...id } of samples) {
      const key = keyOf(id);
      const ofMetric = this.#samples.get(key) ?? new Map<number, number[]>();
      ofMetric.set(minute, [...(ofMetric.get(minute) ?? []), value]);
      this.#samples.set(key, ofMetric);
    }
  }

  /** True if the metric may differ from the base's. */
  changes(id: MetricId): boolean {
    return this.#base === undefined || this.#silenced.has(keyOf(id)) || this.#samples.has(keyOf(id));
  }

  /** @returns the statistic of the minutes after `end - minutes`, up to `end`. */
  statistic(id: MetricId, statistic: string, end: number, minutes: number): number | undefined {
    const values: number[] = [];
    for (let minute = end - minutes + 1; minute <= end; minute += 1)
      values.push(...this.#at(keyOf(id), minute));
    return values.length === 0 ? undefined : statisticOf(values, statistic);
  }

  #at(key: string, minute: number): readonly number[] {
    const own = this.#samples.get(key)?.get(minute) ?? [];
    const base = this.#base;
    return base === undefined || this.#silenced.has(key) ? own : [...base.#at(key, minute), ...own];
  }
}

function statisticOf(values: readonly number[], statistic: string): number {
  switch (statistic) {
    case "Sum":
      return values.reduce((sum, value) => sum + value, 0);
    case "SampleCount":
      return values.length;
    case "Maximum":
      return Math.max(...values);
    case "Minimum":
      return Math.min(...values);
    case "Average":
      return statisticOf(values, "Sum") / values.length;
  }
  const bound = /^PR\(:(\d+)\)$/.exec(statistic)?.[1];
  if (bound === undefined) throw new Error(`the evaluator does not know the statistic ${statistic}`);
  return (100 * values.filter((value) => value <= Number(bound)).length) / values.length;
}

/** Returns the embedded metrics of a line in a log group, and those of the filters that match it, as CloudWatch does. */
export function samplesOfLine(line: string, logGroup: string, filters: readonly MetricFilter[]): Sample[] {
  const fields: unknown = JSON.parse(line);
  const embedded = new LocalMetrics();
  embedded.take(fields);
  const matching = filters.filter((each) => each.logGroup === logGroup && matches(each.pattern, fields));
  return [
    ...embedded.list().map(({ namespace, name, dimensions, sum: value }) => ({
      namespace,
      name,
      dimensions,
      value,
    })),
    ...matching.map(({ namespace, name }) => ({ namespace, name, dimensions: {}, value: 1 })),
  ];
}

/**
 * Knows the comparison of one field with a text, and fails on other patterns.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
function matches(pattern: string, line: unknown): boolean {
  const [, path, text] = /^\{ \$\.([\w.]+) = "([^"]*)" \}$/.exec(pattern) ?? [];
  if (path === undefined) throw new Error(`the evaluator does not know the pattern ${pattern}`);
  return path.split(".").reduce<unknown>(fieldOf, line) === text;
}

function fieldOf(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Object.getOwnPropertyDescriptor(of, name)?.value : undefined;
}
