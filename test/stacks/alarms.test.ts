import { describe, expect, it } from "vitest";
import { makeServiceApp, resourceOf, resourcesOf, templatesOf } from "./synthesize.ts";

const { operations, service } = templatesOf(makeServiceApp({ deployment: "blue" }));
const alarms = resourcesOf(operations, "AWS::CloudWatch::Alarm").map(({ Properties }) => Properties);

function alarm(description: string) {
  const found = alarms.find(({ AlarmDescription }) =>
    AlarmDescription.includes(`: ${description}, deployment blue. See`),
  );
  expect(found, description).toBeDefined();
  return found ?? {};
}

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Period: number;
    readonly Metric: { readonly MetricName: string; readonly Namespace: string };
  };
}

const queriesOf = (description: string): readonly MetricQuery[] => alarm(description).Metrics;

function partsOf(heading: string) {
  return alarms.filter(({ AlarmDescription }) =>
    AlarmDescription.startsWith(`Tells nobody: a part of "${heading}"`),
  );
}

describe.each([
  ["HTTP server errors", 0.1],
  ["Slow responses", 5],
  ["Runs wait", 1],
])('the service level of "%s"', (heading, budget) => {
  it("is watched at two rates, each over a long and a short period", () => {
    const parts = partsOf(heading).map(({ Threshold, Metrics }) => [
      Threshold,
      ...new Set((Metrics as readonly MetricQuery[]).flatMap(({ MetricStat }) => MetricStat?.Period ?? [])),
    ]);
    expect(parts.sort((a, b) => a[1] - b[1])).toEqual(
      [
        [14.4 * budget, 300],
        [6 * budget, 1_800],
        [14.4 * budget, 3_600],
        [6 * budget, 21_600],
      ].map(([threshold, period]) => [Number(threshold?.toFixed(3)), period]),
    );
  });

  it("alarms when both periods of a rate do", () => {
    const rules = resourcesOf(operations, "AWS::CloudWatch::CompositeAlarm").map(
      ({ Properties }) => Properties,
    );
    const own = rules.filter(({ AlarmDescription }) => AlarmDescription.includes(`: ${heading} (`));
    expect(own.map(({ AlarmDescription }) => AlarmDescription.split(":")[0]).sort()).toEqual([
      "critical",
      "warning",
    ]);
    for (const { AlarmRule } of own) {
      const text = JSON.stringify(AlarmRule);
      expect(text).toMatch(/long.*AND.*short|short.*AND.*long/);
    }
  });
});

describe("the topic of the alarms", () => {
  it("lets CloudWatch publish: a policy of its own takes away what the account could do by default", () => {
    const { Statement } = resourceOf(operations, "AWS::SNS::TopicPolicy").Properties.PolicyDocument;
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: "Allow",
        Action: "sns:Publish",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Condition: expect.objectContaining({
          StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } },
        }),
      }),
    );
    expect(Statement).toContainEqual(expect.objectContaining({ Effect: "Deny", Principal: "*" }));
  });
});

describe("an alarm on failures", () => {
  it("has a value when only one of its counts has one", () => {
    const [sum, ...counts] = queriesOf("Executions failed");
    const filled = counts.map(({ Id }) => `FILL(${Id}, 0)`).join(", ");
    expect(counts.length).toBeGreaterThan(1);
    expect(sum?.Expression).toBe(`SUM([${filled}])`);
  });

  it("hears of errors that go on, in the log of any function", () => {
    const filters = resourcesOf(operations, "AWS::Logs::MetricFilter").filter(
      ({ Properties }) => Properties.FilterPattern === '{ $.level = "error" }',
    );
    const metric = { Namespace: "DesktopAutomationService/blue", MetricName: "errors logged" };
    expect(filters).toHaveLength(resourcesOf(service, "AWS::Lambda::Function").length);
    for (const { Properties } of filters) {
      expect(Properties.MetricTransformations).toMatchObject([
        { MetricNamespace: metric.Namespace, MetricName: metric.MetricName },
      ]);
    }
    expect(alarm("Errors logged")).toMatchObject({ ...metric, EvaluationPeriods: 3, DatapointsToAlarm: 3 });
  });

  it("hears of a secret store that is full, from the log of any function", () => {
    const filters = resourcesOf(operations, "AWS::Logs::MetricFilter").filter(
      ({ Properties }) => Properties.FilterPattern === '{ $.error_code = "secrets_full" }',
    );
    expect(filters).toHaveLength(resourcesOf(service, "AWS::Lambda::Function").length);
    const metric = { Namespace: "DesktopAutomationService/blue", MetricName: "secrets full" };
    expect(alarm("Secrets full")).toMatchObject(metric);
    for (const { Properties } of filters) {
      expect(Properties.MetricTransformations).toMatchObject([
        { MetricNamespace: metric.Namespace, MetricName: metric.MetricName },
      ]);
    }
  });

  it("does not take a driver that is refused at the handshake for a fault of the tunnel", () => {
    expect(alarm("Tunnel integration errors")).toMatchObject({
      Namespace: "AWS/ApiGateway",
      MetricName: "ExecutionError",
      Statistic: "Sum",
    });
  });

  it.each(["projector", "matcher"])(
    "hears of a mapping that hands the %s nothing while the table is written",
    (reader) => {
      const [silent, ...counts] = queriesOf(`Stream silent (${reader})`);
      expect(silent?.Expression).toBe(
        "IF(written >= 100 AND FILL(handed, 0) + FILL(filtered, 0) == 0, 1, 0)",
      );
      const metrics = counts.map(({ Id, MetricStat }) => [Id, MetricStat?.Metric]);
      expect(Object.fromEntries(metrics)).toMatchObject({
        written: { Namespace: "AWS/DynamoDB", MetricName: "ConsumedWriteCapacityUnits" },
        handed: { Namespace: "AWS/Lambda", MetricName: "InvokedEventCount" },
        filtered: { Namespace: "AWS/Lambda", MetricName: "FilteredOutEventCount" },
      });
      expect(alarm(`Records dropped (${reader})`)).toMatchObject({
        Namespace: "AWS/Lambda",
        MetricName: "DroppedEventCount",
        Threshold: 0,
        Dimensions: [expect.objectContaining({ Name: "EventSourceMappingUUID" })],
      });
    },
  );

  it("hears of what the sweeper had to do for the matcher", () => {
    expect(alarm("Matching left over").Threshold).toBe(5);
    const metrics = queriesOf("Matching left over").map(({ MetricStat }) => MetricStat?.Metric);
    expect(metrics).toMatchObject([
      { Namespace: "DesktopAutomationService", MetricName: "matching_left_over" },
    ]);
  });

  it("hears when schedules are late by minutes, or when nobody fires them", () => {
    expect(alarm("Schedules late")).toMatchObject({ Threshold: 120_000, TreatMissingData: "breaching" });
  });

  it("leaves out what desktops and their networks failed", () => {
    const [failed] = partsOf("HTTP server errors");
    const queries: readonly MetricQuery[] = failed?.Metrics ?? [];
    expect(queries.find(({ Expression }) => Expression !== undefined)?.Expression).toBe(
      "IF((FILL(failed, 0) - FILL(desktops, 0)) >= 5, 100 * (FILL(failed, 0) - FILL(desktops, 0)) / requests, 0)",
    );
    expect(queries.find(({ Id }) => Id === "desktops")?.MetricStat).toMatchObject({
      Metric: {
        Namespace: "DesktopAutomationService",
        MetricName: "service_ms",
        Dimensions: [
          { Name: "deployment", Value: "blue" },
          { Name: "outcome", Value: "desktop_failed" },
        ],
      },
      Stat: "SampleCount",
    });
  });

  it("goes by the account's concurrency that is not reserved", () => {
    const thresholdOf = (settings: object) =>
      resourcesOf(templatesOf(makeServiceApp({ ...settings })).operations, "AWS::CloudWatch::Alarm").find(
        ({ Properties }) => Properties.MetricName === "ClaimedAccountConcurrency",
      )?.Properties.Threshold;
    expect(thresholdOf({})).toBe(800);
    // 90 % is reserved: 2,698, and 80 % of the other 302.
    expect(thresholdOf({ lambdaConcurrency: 3_000 })).toBe(2_939);
  });

  it("takes no more metrics than an alarm may have", () => {
    for (const { Metrics = [] } of alarms) {
      const read = (Metrics as readonly MetricQuery[]).filter(({ MetricStat }) => MetricStat !== undefined);
      expect(read.length).toBeLessThanOrEqual(10);
    }
  });
});
