import { describe, expect, it } from "vitest";
import { claimedConcurrencyMax } from "../../infra/concurrency.ts";
import { makeServiceApp, resourceOf, resourcesOf, templatesOf } from "./synthesize.ts";

const templates = templatesOf(makeServiceApp({ canaries: true, alarmEmail: "on-call@example.com" }));
const { operations } = templates;
const topicArn = "arn:aws:sns:us-east-1:111122223333:alarms";
const longestName = "a".repeat(20);
const others = templatesOf(makeServiceApp({ alarmTopicArn: topicArn, deployment: longestName }));
const { operations: elsewhere } = others;
/** All alarms except the parts of a service level, which the level itself reports. */
const alarms = ["AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"]
  .flatMap((type) => resourcesOf(operations, type))
  .map(({ Properties }) => Properties)
  .filter(({ AlarmDescription }) => !AlarmDescription.startsWith("Tells nobody: "));

describe("the alarms", () => {
  it("name their deployment, those that tell nobody, too", () => {
    const all = [operations, templates.service].flatMap((template) => [
      ...resourcesOf(template, "AWS::CloudWatch::Alarm"),
      ...resourcesOf(template, "AWS::CloudWatch::CompositeAlarm"),
    ]);
    expect(all.length).toBeGreaterThan(alarms.length);
    for (const { Properties } of all) expect(Properties.AlarmDescription).toMatch(/, deployment main\./);
  });

  it("each read no more metrics than an alarm may", () => {
    for (const { Properties } of resourcesOf(operations, "AWS::CloudWatch::Alarm")) {
      const queries: readonly { readonly MetricStat?: object }[] = Properties.Metrics ?? [];
      expect(queries.filter(({ MetricStat }) => MetricStat !== undefined).length).toBeLessThanOrEqual(10);
    }
  });

  it("go by the account's concurrency that is not reserved", () => {
    expect(claimedConcurrencyMax(undefined)).toBe(800);
    // 90 % is reserved: 2,698, and 80 % of the other 302.
    expect(claimedConcurrencyMax(3_000)).toBe(2_939);
  });

  it("each tell somebody, when they begin and when they end", () => {
    const topic = Object.keys(operations.Resources).find(
      (id) => operations.Resources[id]?.Type === "AWS::SNS::Topic",
    );
    for (const { AlarmActions, OKActions } of alarms) {
      expect(AlarmActions).toEqual([{ Ref: topic }]);
      expect(OKActions).toEqual([{ Ref: topic }]);
    }
  });

  it("go to a topic that exists when one is named", () => {
    expect(resourcesOf(elsewhere, "AWS::SNS::Topic")).toEqual([]);
    const [level] = resourcesOf(elsewhere, "AWS::CloudWatch::CompositeAlarm");
    expect(level?.Properties.AlarmActions).toEqual([topicArn]);
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

describe("the operations stack", () => {
  it("holds on to nothing that it watches", () => {
    expect(JSON.stringify(operations)).not.toContain("Fn::ImportValue");
    const exported = Object.values(templates.service.Outputs ?? {}).filter(
      (output) => output.Export !== undefined,
    );
    expect(exported).toEqual([]);
  });

  it("looks up few outputs, each once, since CloudFormation throttles 75 look-ups of one deployment", () => {
    for (const template of Object.values(templates)) {
      const lookedUp = JSON.stringify(template).match(/\{"Fn::GetStackOutput":\{.*?\}\}/g) ?? [];
      expect(lookedUp.length).toBeLessThanOrEqual(40);
      expect(new Set(lookedUp).size).toBe(lookedUp.length);
    }
    expect(resourcesOf(operations, "AWS::SSM::Parameter")).toHaveLength(4);
  });

  it("has room in its parameters for the longest names that CloudFormation may give", () => {
    for (const template of [others.data, others.service]) {
      for (const [name, { Value }] of Object.entries(template.Outputs ?? {})) {
        if (!name.startsWith("LookedUp")) continue;
        const [, parts] = (Value as { "Fn::Join": [string, (string | { Ref?: string })[]] })["Fn::Join"];
        // A generated name is that of the stack, the logical id and 12 characters.
        const lengths = parts.map((part) =>
          typeof part === "string" ? part.length : `das-${longestName}-service-${part.Ref}-`.length + 12,
        );
        expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(4_096);
      }
    }
  });

  it("is deployed again whenever what it reads was: its references are resolved then, and not before", () => {
    const { operations: again } = templatesOf(
      makeServiceApp({ canaries: true, alarmEmail: "on-call@example.com" }),
    );
    expect(again.Outputs).toEqual(operations.Outputs);
    const { operations: changed } = templatesOf(
      makeServiceApp({ canaries: true, alarmEmail: "on-call@example.com", sessionIdleSeconds: 60 }),
    );
    expect(changed.Resources).toEqual(operations.Resources);
    expect(changed.Outputs).not.toEqual(operations.Outputs);
  });

  it("has a canary only when asked for", () => {
    expect(resourcesOf(operations, "AWS::Synthetics::Canary")[0]?.Properties.Schedule.Expression).toBe(
      "rate(5 minutes)",
    );
    expect(resourcesOf(elsewhere, "AWS::Synthetics::Canary")).toEqual([]);
  });
});

describe("the data stack's exports", () => {
  it("are there for what imports them, and stay when an importer goes", () => {
    const exported = Object.values(templates.data.Outputs ?? {}).filter(
      (output) => output.Export !== undefined,
    );
    // Table, stream, bucket (name, ARN and host), two signing keys, data key, event bus (name and ARN).
    expect(exported).toHaveLength(11);
  });
});
