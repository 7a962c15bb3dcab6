import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const templates = templatesOf(makeServiceApp({ canaries: true, alarmEmail: "on-call@example.com" }));
const { operations } = templates;
const topicArn = "arn:aws:sns:us-east-1:111122223333:alarms";
const { operations: elsewhere } = templatesOf(makeServiceApp({ alarmTopicArn: topicArn }));
/** All alarms except the parts of a service level, which the level itself reports. */
const alarms = ["AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"]
  .flatMap((type) => resourcesOf(operations, type))
  .map(({ Properties }) => Properties)
  .filter(({ AlarmDescription }) => !AlarmDescription.startsWith("Tells nobody: "));
const withShare = ["computer", "executor", "following", "health", "machine-health", "matcher", "tunnel"];
const headings = readFileSync("infra/RUNBOOK.md", "utf8").match(/^## .+$/gm) ?? [];

describe("the alarms", () => {
  it("each say how bad it is and name a heading of the runbook", () => {
    for (const { AlarmDescription } of alarms) {
      const [, severity, heading] =
        /^(critical|warning): .+, deployment main\. See infra\/RUNBOOK\.md, "(.+)"\.$/.exec(
          AlarmDescription,
        ) ?? [];
      expect(severity, AlarmDescription).toBeDefined();
      expect(headings).toContain(`## ${heading}`);
    }
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

  it("watch service levels, and what customers do not feel yet", () => {
    const subjects = alarms
      .map(({ AlarmDescription }) => AlarmDescription.replace(/, deployment main\. See .*/, ""))
      .sort();
    const levels = ["HTTP server errors", "Slow responses", "Runs wait"];
    expect(subjects).toEqual(
      [
        ...levels.flatMap((level) => [`critical: ${level} (fast)`, `warning: ${level} (slow)`]),
        "critical: Machines lost",
        "warning: Machines lost",
        "critical: Concurrency claimed",
        ...[...withShare, "others"].map((name) => `critical: Function throttles (${name})`),
        ...["executions-watch", "scheduler", "sweeper", "tunnel"].map(
          (name) => `critical: Function errors (${name})`,
        ),
        "warning: Errors logged",
        "critical: Canary failing",
        "critical: Execution dead letters",
        "critical: Executions failed",
        "critical: Matching behind",
        "critical: Matching failures",
        ...["projector", "matcher"].flatMap((reader) => [
          `critical: Records dropped (${reader})`,
          `critical: Stream silent (${reader})`,
        ]),
        "critical: Schedules late",
        "critical: Secrets full",
        "critical: Stream failures",
        "critical: Sweeper holds back",
        "critical: Sweeper not running",
        "critical: Tunnel integration errors",
        "warning: Deletions left over",
        "warning: Matching left over",
        "warning: Executions near their quota",
        "warning: Stream behind",
        "warning: Webhook dead letters",
      ].sort(),
    );
  });

  it("take the sweeper's silence for trouble", () => {
    const sweeper = alarms.find(({ AlarmDescription }) => AlarmDescription.includes("Sweeper not running"));
    expect(sweeper).toMatchObject({
      TreatMissingData: "breaching",
      ComparisonOperator: "LessThanThreshold",
      Threshold: 1,
    });
  });

  it("go to a topic that exists when one is named", () => {
    expect(resourcesOf(elsewhere, "AWS::SNS::Topic")).toEqual([]);
    const [level] = resourcesOf(elsewhere, "AWS::CloudWatch::CompositeAlarm");
    expect(level?.Properties.AlarmActions).toEqual([topicArn]);
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
    const { data, service } = templatesOf(makeServiceApp({ deployment: "a".repeat(20) }));
    for (const template of [data, service]) {
      for (const [name, { Value }] of Object.entries(template.Outputs ?? {})) {
        if (!name.startsWith("LookedUp")) continue;
        const [, parts] = (Value as { "Fn::Join": [string, (string | { Ref?: string })[]] })["Fn::Join"];
        // A generated name is that of the stack, the logical id and 12 characters.
        const lengths = parts.map((part) =>
          typeof part === "string" ? part.length : `das-${"a".repeat(20)}-service-${part.Ref}-`.length + 12,
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
