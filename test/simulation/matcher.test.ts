import { expect, it } from "vitest";
import type { JsonObject } from "../../infra/local/template/json.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "../stacks/synthesize.ts";
import { runSchedule } from "../support/simulation/run-schedule.ts";

function streamPatterns(): {
  readonly matcher: readonly JsonObject[];
  readonly projector: readonly JsonObject[];
} {
  const { service } = templatesOf(makeServiceApp());
  const mappings = resourcesOf(service, "AWS::Lambda::EventSourceMapping");
  const of = (name: string): readonly JsonObject[] => {
    const mapping = mappings.find(({ Properties }) => JSON.stringify(Properties.FunctionName).includes(name));
    const filters: readonly { readonly Pattern: string }[] = mapping?.Properties.FilterCriteria.Filters ?? [];
    if (filters.length === 0) throw new Error(`the stream of ${name} has no filters`);
    return filters.map(({ Pattern }) => JSON.parse(Pattern));
  };
  return { matcher: of("matcher"), projector: of("projector") };
}

/** The first seed, from 1 on; the schedules after it have those that follow. One that is named is run alone. */
const namedSeed = process.env.SIMULATION_SEED;
const firstSeed = Number(namedSeed ?? 1);
/** Some 30 s of one core; more of them find more. */
const schedules = Number(process.env.SIMULATION_SCHEDULES ?? (namedSeed === undefined ? 500 : 1));

const patterns = streamPatterns();

it("makes the same schedule of the same seed", async () => {
  const traceOf = async (seed: number) => (await runSchedule(seed, patterns)).trace().join("\n");
  for (let seed = firstSeed; seed < firstSeed + 5; seed += 1) {
    expect(await traceOf(seed)).toBe(await traceOf(seed));
  }
});

it(`keeps runs, machines and sessions in order, whatever comes between two calls (from seed ${firstSeed} on)`, async () => {
  let assigned = 0;
  for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
    assigned += (await runSchedule(seed, patterns)).assigned;
  }
  // Schedules in which nothing comes about prove nothing.
  if (namedSeed === undefined) expect(assigned).toBeGreaterThan(schedules);
  else expect(assigned).toBeGreaterThanOrEqual(0);
});
