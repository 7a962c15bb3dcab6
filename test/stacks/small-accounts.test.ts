import { Annotations, Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { callsShareOf, executionsShareOf, sendsShareOf } from "../../infra/concurrency.ts";
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
    webhooks: variables("ORGANIZATION_SENDS_MAX"),
    warnings: warnings.map(({ entry }) => String(entry.data)),
  };
}

describe("an account's concurrency", () => {
  it("of 10 is not reserved, and runs leave places for the responses that they wait for", () => {
    const { reserved, calls, executions, webhooks, warnings } = deployedIn(10);
    expect([reserved, calls, executions, webhooks]).toEqual([[], ["2"], ["2"], ["2"]]);
    expect(warnings).toEqual([expect.stringContaining("10 are too few to reserve any, ask for 1000")]);
  });

  it("of 400 is reserved in the same proportions, and leaves the 100 that AWS demands", () => {
    const { reserved, calls, executions, warnings } = deployedIn(400);
    expect([reserved, calls, executions, warnings]).toEqual([[107, 89, 71, 17, 7, 7], ["22"], ["50"], []]);
    expect(400 - reserved.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(100);
  });

  it.each([
    [100, 6, 20, 10],
    [299, 18, 50, 20],
    [300, 14, 50, 20],
    [1_000, 62, 50, 20],
  ])(
    "of %i lets an organization have %i calls, %i runs and %i webhooks",
    (lambdaConcurrency, calls, executions, webhooks) => {
      expect(callsShareOf(200, lambdaConcurrency)).toBe(calls);
      expect(executionsShareOf(50, lambdaConcurrency)).toBe(executions);
      expect(sendsShareOf(lambdaConcurrency)).toBe(webhooks);
    },
  );
});
