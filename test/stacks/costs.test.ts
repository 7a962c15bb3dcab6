import { describe, expect, it } from "vitest";
import { makeServiceApp, resourceOf, resourcesOf, type Template, templatesOf } from "./synthesize.ts";

const monitorArn = "arn:aws:ce::111122223333:anomalymonitor/0a1b2c3d";
const made = makeServiceApp({ costAnomalyMonitorArn: monitorArn, alarmEmail: "ops@example.com" });
const costs: Template = made.app.synth().getStackArtifact("das-main-costs").template;
const { operations } = templatesOf(made);
const without = makeServiceApp({ monthlyBudgetUsd: 0, alarmTopicArn: "arn:aws:sns:eu-west-1:1:alarms" });
const stackIds = without.app.node.children.map(({ node }) => node.id);
const plain = templatesOf(without);

const publishersTo = (template: Template) =>
  resourceOf(template, "AWS::SNS::TopicPolicy").Properties.PolicyDocument.Statement.flatMap(
    ({ Effect, Principal }: { Effect: string; Principal: { Service?: string } }) =>
      Effect === "Allow" ? [Principal.Service] : [],
  );

describe("the budget", () => {
  const { Budget, NotificationsWithSubscribers: told } = resourceOf(
    operations,
    "AWS::Budgets::Budget",
  ).Properties;

  it("is of the account's month, whatever tags are activated, with a sum by default", () => {
    expect(Budget).toEqual({
      BudgetType: "COST",
      TimeUnit: "MONTHLY",
      BudgetLimit: { Amount: 300, Unit: "USD" },
    });
  });

  it("tells the topic of alarms of half of it, of all, and of what will be more", () => {
    const topic = Object.keys(operations.Resources).find(
      (id) => operations.Resources[id]?.Type === "AWS::SNS::Topic",
    );
    for (const { Subscribers } of told) {
      expect(Subscribers).toEqual([{ SubscriptionType: "SNS", Address: { Ref: topic } }]);
    }
    const when = told.map(
      ({ Notification }: { Notification: { NotificationType: string; Threshold: number } }) =>
        `${Notification.NotificationType} ${Notification.Threshold}`,
    );
    expect(when).toEqual(["ACTUAL 50", "ACTUAL 100", "FORECASTED 100"]);
  });

  it("is made after the policy that lets AWS Budgets tell it", () => {
    expect(publishersTo(operations)).toContain("budgets.amazonaws.com");
    const policy = Object.keys(operations.Resources).find(
      (id) => operations.Resources[id]?.Type === "AWS::SNS::TopicPolicy",
    );
    expect(resourceOf(operations, "AWS::Budgets::Budget").DependsOn).toContain(policy);
  });

  it("is none where its sum is 0", () => {
    expect(resourcesOf(plain.operations, "AWS::Budgets::Budget")).toEqual([]);
  });
});

describe("anomalies of costs", () => {
  it("are told by the account's own monitor, since there can be one, from the setting's sum on", () => {
    expect(resourcesOf(costs, "AWS::CE::AnomalyMonitor")).toEqual([]);
    const { Properties } = resourceOf(costs, "AWS::CE::AnomalySubscription");
    expect(Properties).toMatchObject({ MonitorArnList: [monitorArn], Frequency: "IMMEDIATE" });
    expect(JSON.parse(Properties.ThresholdExpression)).toEqual({
      Dimensions: {
        Key: "ANOMALY_TOTAL_IMPACT_ABSOLUTE",
        MatchOptions: ["GREATER_THAN_OR_EQUAL"],
        Values: ["50"],
      },
    });
    expect(publishersTo(costs)).toEqual(["costalerts.amazonaws.com"]);
    expect(resourceOf(costs, "AWS::SNS::Subscription").Properties.Endpoint).toBe("ops@example.com");
  });

  it("have a stack in the Region that knows them, and none without the setting", () => {
    expect(made.app.node.tryFindChild("das-main-costs")).toHaveProperty("region", "us-east-1");
    expect(JSON.stringify(operations)).not.toContain("AWS::CE::");
    expect(stackIds).not.toContain("das-main-costs");
  });
});
