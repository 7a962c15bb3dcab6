import { Annotations, Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { callsShareOf, executionsShareOf } from "../../infra/concurrency.ts";
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
    warnings: warnings.map(({ entry }) => String(entry.data)),
  };
}

describe("an account's concurrency", () => {
  it("of 10 is not reserved, and runs leave places for the responses that they wait for", () => {
    const { reserved, calls, executions, warnings } = deployedIn(10);
    expect([reserved, calls, executions]).toEqual([[], ["2"], ["2"]]);
    expect(warnings).toEqual([expect.stringContaining("10 are too few to reserve any, ask for 1000")]);
  });

  it("of 400 is reserved in the same proportions, and leaves the 100 that AWS demands", () => {
    const { reserved, calls, executions, warnings } = deployedIn(400);
    expect([reserved, calls, executions, warnings]).toEqual([[107, 89, 71, 17, 7, 7], ["22"], ["50"], []]);
    expect(400 - reserved.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(100);
  });

  it.each([
    [100, 6, 20],
    [299, 18, 50],
    [300, 14, 50],
    [1_000, 62, 50],
  ])("of %i lets an organization have %i calls and %i runs", (lambdaConcurrency, calls, executions) => {
    expect(callsShareOf(200, lambdaConcurrency)).toBe(calls);
    expect(executionsShareOf(50, lambdaConcurrency)).toBe(executions);
  });
});
