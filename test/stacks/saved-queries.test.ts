import { expect, it } from "vitest";
import { measuredLines } from "../../shared/contract/service-metrics.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const { operations } = templatesOf(makeServiceApp());
const queries = resourcesOf(operations, "AWS::Logs::QueryDefinition").map(({ Properties }) => Properties);

it("saves queries under the deployment's name, each of logs that there are", () => {
  expect(queries.map(({ Name }) => Name)).toContain("das-main/One run");
  for (const { Name, LogGroupNames } of queries) {
    expect(Name).toMatch(/^das-main\//);
    expect(LogGroupNames.length).toBeGreaterThan(0);
    // CloudWatch queries fifty log groups at once.
    expect(LogGroupNames.length).toBeLessThanOrEqual(50);
  }
});

it("names in its queries the fields of the executor's line of a step", () => {
  const texts = queries.map(({ QueryString }) => QueryString).join("\n");
  const { milliseconds = [], counts = [], by } = measuredLines["step taken"] ?? {};
  for (const field of [...milliseconds, ...counts, by]) expect(texts).toContain(field);
});
