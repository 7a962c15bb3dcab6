import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const templates = templatesOf(makeServiceApp({ canaries: true, alarmEmail: "on-call@example.com" }));
const { operations } = templates;
const topicArn = "arn:aws:sns:us-east-1:111122223333:alarms";
const { operations: elsewhere } = templatesOf(makeServiceApp({ alarmTopicArn: topicArn }));
const alarms = resourcesOf(operations, "AWS::CloudWatch::Alarm").map(({ Properties }) => Properties);
const headings = readFileSync("infra/RUNBOOK.md", "utf8").match(/^## .+$/gm) ?? [];

describe("the alarms", () => {
  it("each say how bad it is and name a heading of the runbook", () => {
    for (const { AlarmDescription } of alarms) {
      const [, severity, heading] =
        /^(critical|warning): .+ See infra\/RUNBOOK\.md, "(.+)"\.$/.exec(AlarmDescription) ?? [];
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

  it("watch errors and throttles of every function, and all else once", () => {
    const subjects = alarms.map(({ AlarmDescription }) => AlarmDescription.replace(/\. See .*/, "")).sort();
    const functions = [
      "computer",
      "connections",
      "docs",
      "driver",
      "executions-watch",
      "executor",
      "health",
      "machine-health",
      "machines",
      "matcher",
      "model-configurations",
      "pools",
      "projector",
      "provider-credentials",
      "run-attachments",
      "runs",
      "sweeper",
      "trajectories",
      "tunnel",
      "workflow-tags",
      "workflows",
    ];
    expect(subjects).toEqual(
      [
        ...functions.map((name) => `critical: Function errors (${name})`),
        ...functions.map(
          (name) => `${name === "tunnel" ? "critical" : "warning"}: Function throttles (${name})`,
        ),
        "critical: Canary failing",
        "critical: Execution dead letters",
        "critical: Executions failed",
        "critical: HTTP server errors",
        "critical: Matching behind",
        "critical: Matching failures",
        ...["projector", "matcher"].flatMap((reader) => [
          `critical: Records dropped (${reader})`,
          `critical: Stream silent (${reader})`,
        ]),
        "critical: Secrets full",
        "critical: Stream failures",
        "critical: Sweeper not running",
        "critical: Tunnel integration errors",
        "warning: Deletions left over",
        "warning: Matching left over",
        "warning: Executions near their quota",
        "warning: Stream behind",
        "warning: Table throttles",
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
    expect(resourcesOf(elsewhere, "AWS::CloudWatch::Alarm")[0]?.Properties.AlarmActions).toEqual([topicArn]);
  });
});

describe("the operations stack", () => {
  it("holds on to nothing that it watches", () => {
    expect(JSON.stringify(operations)).not.toContain("Fn::ImportValue");
    expect(JSON.stringify(operations)).toContain("Fn::GetStackOutput");
    const exported = Object.values(templates.service.Outputs ?? {}).filter(
      (output) => output.Export !== undefined,
    );
    expect(exported).toEqual([]);
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
