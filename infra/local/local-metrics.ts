import * as z from "zod";

const EmbeddedLine = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string(), Unit: z.string() })),
      }),
    ),
  }),
});

interface Series {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly unit: string;
  count: number;
  sum: number;
  min: number;
  max: number;
  latest: number;
  readonly recent: number[];
}

const recentMax = 10_000;

export class LocalMetrics {
  readonly #series = new Map<string, Series>();

  take(line: unknown): void {
    if (typeof line !== "object" || line === null || !("_aws" in line)) return;
    const embedded = EmbeddedLine.parse(line);
    for (const { Namespace: namespace, Dimensions, Metrics } of embedded._aws.CloudWatchMetrics) {
      for (const names of Dimensions) {
        const dimensions = Object.fromEntries(names.map((name) => [name, String(embedded[name])]));
        for (const { Name: name, Unit: unit } of Metrics) {
          this.#note({ namespace, name, dimensions, unit }, z.number().parse(embedded[name]));
        }
      }
    }
  }

  list() {
    return [...this.#series.values()].map(({ recent, ...series }) => {
      const sorted = recent.toSorted((one, other) => one - other);
      const at = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1];
      return { ...series, p50: at(50), p95: at(95), p99: at(99) };
    });
  }

  #note(of: Pick<Series, "namespace" | "name" | "dimensions" | "unit">, value: number): void {
    const key = JSON.stringify(of);
    const empty = { count: 0, sum: 0, min: value, max: value, latest: value, recent: [] };
    const series = this.#series.get(key) ?? { ...of, ...empty };
    series.count += 1;
    series.sum += value;
    series.min = Math.min(series.min, value);
    series.max = Math.max(series.max, value);
    series.latest = value;
    series.recent.push(value);
    if (series.recent.length > recentMax) series.recent.shift();
    this.#series.set(key, series);
  }
}
