import { Annotations, Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import {
  callsShareOf,
  executionsShareOf,
  looksShareOf,
  reservedConcurrencyOf,
  sendsShareOf,
  serviceExecutionsOf,
  waitsShareOf,
} from "../../infra/concurrency.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

function deployedIn(lambdaConcurrency: number) {
  const app = makeServiceApp({ lambdaConcurrency });
  const warnings = Annotations.fromStack(app.service).findWarning("*", Match.stringLikeRegexp("concurrency"));
  const functions = resourcesOf(templatesOf(app).service, "AWS::Lambda::Function");
  const variables = (name: string) => [
    ...new Set(functions.flatMap(({ Properties }) => Properties.Environment.Variables[name] ?? [])),
  ];
  const reserved = functions.map(({ Properties }) => Properties.ReservedConcurrentExecutions ?? 0);
  return {
    reserved: reserved.filter((each) => each > 0).sort((a, b) => b - a),
    calls: variables("ORGANIZATION_CALLS_MAX"),
    executions: variables("ORGANIZATION_EXECUTIONS_MAX"),
    serviceExecutions: variables("SERVICE_EXECUTIONS_MAX"),
    webhooks: variables("ORGANIZATION_SENDS_MAX"),
    waits: variables("WAITS_MAX"),
    looks: variables("LOOKS_MAX"),
    warnings: warnings.map(({ entry }) => String(entry.data)),
  };
}

describe("an account's concurrency", () => {
  it("of 10 is not reserved, and runs leave places for the responses that they wait for", () => {
    const { reserved, calls, executions, serviceExecutions, webhooks, waits, looks, warnings } =
      deployedIn(10);
    expect([reserved, calls, executions, webhooks]).toEqual([[], ["2"], ["2"], ["2"]]);
    expect([waits, looks, serviceExecutions]).toEqual([["1"], ["1"], ["2"]]);
    expect(warnings).toEqual([expect.stringContaining("10 are too few to reserve any, ask for 1000")]);
  });

  it("of 400 is reserved in the same proportions, and leaves the 100 that AWS demands", () => {
    const { reserved, calls, executions, warnings } = deployedIn(400);
    expect([reserved, calls, executions, warnings]).toEqual([[90, 75, 60, 45, 15, 6, 6], ["18"], ["50"], []]);
    expect(400 - reserved.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(100);
  });

  it.each([
    [100, 6, 20, 10, 10, 6],
    [299, 18, 50, 20, 29, 18],
    [300, 12, 50, 20, 22, 12],
    [1_000, 56, 50, 20, 100, 56],
    [10_000, 200, 50, 20, 1_000, 568],
  ])(
    "of %i lets an organization have %i calls, %i runs and %i webhooks, and %i requests wait for runs, %i for screens",
    (lambdaConcurrency, calls, executions, webhooks, waits, looks) => {
      expect(callsShareOf(200, lambdaConcurrency)).toBe(calls);
      expect(executionsShareOf(50, lambdaConcurrency)).toBe(executions);
      expect(sendsShareOf(lambdaConcurrency)).toBe(webhooks);
      expect(waitsShareOf(lambdaConcurrency)).toBe(waits);
      expect(looksShareOf(lambdaConcurrency)).toBe(looks);
    },
  );

  it.each([
    [10, 2],
    [299, 59],
    [400, 60],
    [1_000, 181],
    [100_000, 16_000],
  ])("of %i lets %i runs of all organizations be under way", (lambdaConcurrency, runs) => {
    expect(serviceExecutionsOf(lambdaConcurrency)).toBe(runs);
  });

  it("that nobody has named sets no limit of the runs of all organizations", () => {
    const functions = resourcesOf(templatesOf(makeServiceApp()).service, "AWS::Lambda::Function");
    const names = functions.flatMap(({ Properties }) => Object.keys(Properties.Environment?.Variables ?? {}));
    expect(names).toContain("ORGANIZATION_EXECUTIONS_MAX");
    expect(names).not.toContain("SERVICE_EXECUTIONS_MAX");
  });

  it.each([300, 400, 1_000, 5_000, 100_000])(
    "of %i leaves a quarter of what reads runs to requests that do not wait, and a tenth to the functions without a share",
    (lambdaConcurrency) => {
      const own = reservedConcurrencyOf("following", lambdaConcurrency) ?? 0;
      expect(waitsShareOf(lambdaConcurrency)).toBeLessThanOrEqual(own * 0.75);
      const names = ["tunnel", "computer", "executor", "following", "matcher", "health", "machine-health"];
      const reserved = names.map((name) => reservedConcurrencyOf(name, lambdaConcurrency) ?? 0);
      const left = lambdaConcurrency - reserved.reduce((sum, each) => sum + each, 0);
      expect(left).toBeGreaterThanOrEqual(Math.max(100, lambdaConcurrency / 10));
    },
  );

  it("that nobody has named lets one request of each kind wait, as a new account's", () => {
    expect([waitsShareOf(undefined), looksShareOf(undefined)]).toEqual([1, 1]);
  });
});
