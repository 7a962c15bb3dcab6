import { describe, expect, it } from "vitest";
import { makeServiceApp, resourceOf, resourcesOf, templatesOf } from "./synthesize.ts";

const { operations, service } = templatesOf(makeServiceApp({ deployment: "blue" }));
const alarms = resourcesOf(operations, "AWS::CloudWatch::Alarm").map(({ Properties }) => Properties);

function alarm(description: string) {
  const found = alarms.find(({ AlarmDescription }) => AlarmDescription.includes(`: ${description}. See`));
  expect(found, description).toBeDefined();
  return found ?? {};
}

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: { readonly MetricName: string; readonly Namespace: string } };
}

const queriesOf = (description: string): readonly MetricQuery[] => alarm(description).Metrics;

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
  it.each(["Function errors (computer)", "Table throttles"])(
    "has a value when only one of the counts of %s has one",
    (description) => {
      const [sum, ...counts] = queriesOf(description);
      const filled = counts.map(({ Id }) => `FILL(${Id}, 0)`).join(", ");
      expect(counts.length).toBeGreaterThan(1);
      expect(sum?.Expression).toBe(`SUM([${filled}])`);
    },
  );

  it("hears of a bug that was answered as 500, which Lambda does not count as an error", () => {
    const filters = resourcesOf(operations, "AWS::Logs::MetricFilter").filter(
      ({ Properties }) => Properties.FilterPattern === '{ $.level = "error" }',
    );
    const names = filters.map(({ Properties }) => {
      const [{ MetricNamespace, MetricName }] = Properties.MetricTransformations;
      expect(MetricNamespace).toBe("DesktopAutomationService/blue");
      return MetricName;
    });
    expect(names).toHaveLength(resourcesOf(service, "AWS::Lambda::Function").length);
    expect(new Set(names).size).toBe(names.length);
    const logged = queriesOf("Function errors (computer)").find(({ Id }) => Id === "logged");
    expect(logged?.MetricStat?.Metric).toEqual({
      Namespace: "DesktopAutomationService/blue",
      MetricName: "computer errors logged",
    });
  });

  it("hears of a secret store that is full, from the log of any function", () => {
    const filters = resourcesOf(operations, "AWS::Logs::MetricFilter").filter(
      ({ Properties }) => Properties.FilterPattern === '{ $.cause.name = "LimitExceededException" }',
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
        ...{ Namespace: "AWS/Lambda", MetricName: "DroppedEventCount", Threshold: 0 },
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

  it("takes no more metrics than an alarm may have", () => {
    for (const { Metrics } of alarms) expect((Metrics ?? []).length).toBeLessThanOrEqual(10);
  });
});
