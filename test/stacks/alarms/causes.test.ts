import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Cause, sourcesOf } from "./cause.ts";
import { causesOfCalls } from "./causes-of-calls.ts";
import { causesOfFunctions } from "./causes-of-functions.ts";
import { causesOfRuns } from "./causes-of-runs.ts";
import { deploy, idsOf } from "./deployed.ts";
import { healthySamples, repeated } from "./healthy.ts";
import { Metrics } from "./metrics.ts";

/** Every part that has an alarm. */
const deployed = deploy({
  canaries: true,
  syntheticRun: true,
  lambdaConcurrency: 3_000,
  backupCopyVaultArn: "arn:aws:backup:eu-west-1:444455556666:backup-vault:das",
});
const sources = sourcesOf(deployed);

/** The longest period of an alarm is six hours, and another one is evaluated. */
const evaluated = { from: 360, to: 430 };
const minutes = Array.from({ length: evaluated.to - evaluated.from }, (_, at) => evaluated.from + at);
const causeFrom = evaluated.from + 5;

const healthy = new Metrics();
const samples = await healthySamples(sources);
for (let minute = 0; minute < evaluated.to; minute += 1) healthy.put(minute, samples);

function ringing(metrics: Metrics): readonly string[] {
  return deployed.alarms
    .filter(({ rings }) => rings(metrics, minutes))
    .map(({ description }) => description)
    .sort();
}

function metricsWith(cause: Cause): Metrics {
  const { fromMinute = causeFrom, lastsMinutes = evaluated.to, times = 1, every = 1 } = cause;
  const metrics = new Metrics(healthy, idsOf(cause.silences ?? []));
  const until = Math.min(evaluated.to, fromMinute + lastsMinutes);
  for (let minute = fromMinute; minute < until; minute += every)
    metrics.put(minute, repeated(times, cause.samples ?? []));
  return metrics;
}

const causes = [
  ...(await causesOfCalls(sources)),
  ...(await causesOfFunctions(sources)),
  ...(await causesOfRuns(sources)),
].map((cause) => ({ ...cause, rings: ringing(metricsWith(cause)) }));

const text =
  /^(?:critical|warning): ([^(]+?)(?: \(([^)]+)\))?, deployment blue\. See infra\/RUNBOOK\.md, "\1"\.$/;

function partsOf(description: string) {
  const [, heading, subject = ""] = text.exec(description) ?? [];
  return { heading, subject };
}

describe("a cause", () => {
  it.each(causes)(
    "that is $happens rings $heading and nothing else",
    ({ heading, subjects = [""], rings }) => {
      const expected = heading === null ? [] : subjects.map((subject) => ({ heading, subject }));
      expect(rings.map(partsOf)).toEqual(expected);
    },
  );
});

describe("an alarm", () => {
  const headings = new Set(readFileSync("infra/RUNBOOK.md", "utf8").match(/(?<=^## ).+$/gm));

  it("is quiet while all is well", () => {
    expect(ringing(healthy)).toEqual([]);
  });

  it.each(deployed.alarms)(
    "has a heading, the deployment's name and a cause: $description",
    ({ description }) => {
      const { heading } = partsOf(description);
      expect(headings).toContain(heading);
      expect(causes.filter(({ rings }) => rings.includes(description)).map((each) => each.heading)).toContain(
        heading,
      );
    },
  );
});
