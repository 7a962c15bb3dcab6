import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeServiceApp, resourceOf, resourcesOf, type Template, templatesOf } from "./synthesize.ts";

const tableArn = "arn:aws:dynamodb:eu-west-1:111122223333:table/das-main-restored";
const streamArn = `${tableArn}/stream/2026-11-22T06:00:00.000`;
const copyVaultArn = "arn:aws:backup:eu-west-1:444455556666:backup-vault:das";
const own = templatesOf(makeServiceApp());
const restored = templatesOf(
  makeServiceApp({ restoredTableStreamArn: streamArn, backupCopyVaultArn: copyVaultArn }),
);

const importsOfTable = (template: Template) =>
  JSON.stringify(template).match(/:ExportsOutput(Ref|FnGetAtt)Table[A-Z0-9][^"]*/g) ?? [];

const tableNames = (template: Template) =>
  resourcesOf(template, "AWS::Lambda::Function").flatMap(({ Properties }) =>
    "TABLE_NAME" in (Properties.Environment?.Variables ?? {})
      ? [Properties.Environment.Variables.TABLE_NAME]
      : [],
  );

describe("a service on a restored table", () => {
  it("names it in every function, grant, mapping and graph, and imports nothing of its own", () => {
    expect(importsOfTable(own.service).length).toBeGreaterThan(0);
    expect(importsOfTable(restored.service)).toEqual([]);
    expect(new Set(tableNames(restored.service))).toEqual(new Set(["das-main-restored"]));
    expect(tableNames(restored.service)).toHaveLength(tableNames(own.service).length);
    expect(JSON.stringify(restored.service)).toContain(`"${tableArn}"`);
    expect(JSON.stringify(restored.service)).toContain(`"${tableArn}/index/list"`);
    const mappings = resourcesOf(restored.service, "AWS::Lambda::EventSourceMapping");
    expect(mappings.map(({ Properties }) => Properties.EventSourceArn)).toEqual([streamArn, streamArn]);
    expect(JSON.stringify(restored.operations)).toContain('\\"das-main-restored\\"');
  });

  it("leaves the data stack as it was: the table, and exports that CloudFormation would not change", () => {
    expect(restored.data.Resources).toEqual(own.data.Resources);
    const exported = (template: Template) =>
      Object.entries(template.Outputs ?? {}).filter(([, { Export }]) => Export !== undefined);
    expect(exported(restored.data)).toEqual(exported(own.data));
    expect(restored.data.Outputs?.TableName?.Value).toBe("das-main-restored");
  });
});

describe("the backup of table and bucket", () => {
  it("is made when a vault of another account is named, and not without", () => {
    expect(resourcesOf(own.operations, "AWS::Backup::BackupPlan")).toEqual([]);
    const { Properties } = resourceOf(restored.operations, "AWS::Backup::BackupPlan");
    const kept = { DeleteAfterDays: 35 };
    expect(Properties.BackupPlan.BackupPlanRule).toMatchObject([
      {
        ScheduleExpression: "cron(0 5 * * ? *)",
        Lifecycle: kept,
        CopyActions: [{ DestinationBackupVaultArn: copyVaultArn, Lifecycle: kept }],
      },
    ]);
  });

  it("may be read by the account that it is copied to, which could not copy it else", () => {
    const { Statement } = resourceOf(restored.operations, "AWS::KMS::Key").Properties.KeyPolicy;
    const ofDestination = Statement.filter(({ Principal }: { Principal: object }) =>
      JSON.stringify(Principal).includes(copyVaultArn.split(":")[4] ?? "none"),
    );
    expect(ofDestination).toMatchObject([
      { Effect: "Allow", Action: expect.arrayContaining(["kms:Decrypt", "kms:DescribeKey"]) },
      {
        Effect: "Allow",
        Action: expect.arrayContaining(["kms:CreateGrant"]),
        Condition: { Bool: { "kms:GrantIsForAWSResource": "true" } },
      },
    ]);
  });

  it("alarms when it, or its copy, fails or does not begin", () => {
    const alarms = resourcesOf(restored.operations, "AWS::CloudWatch::Alarm").filter(({ Properties }) =>
      Properties.AlarmDescription.includes("Backups failed"),
    );
    const counted = alarms.flatMap(({ Properties }) =>
      Properties.Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: { MetricName: string } } }) =>
        MetricStat === undefined ? [] : [MetricStat.Metric.MetricName],
      ),
    );
    expect(counted.sort()).toEqual(
      [
        "NumberOfBackupJobsAborted",
        "NumberOfBackupJobsExpired",
        "NumberOfBackupJobsFailed",
        "NumberOfCopyJobsFailed",
      ].sort(),
    );
    const headings = readFileSync("infra/RUNBOOK.md", "utf8");
    expect(headings).toContain("\n## Backups failed\n");
  });

  it("is of the table in use and of the bucket, under a key of its own, and stays", () => {
    const { Resources } = resourceOf(restored.operations, "AWS::Backup::BackupSelection").Properties
      .BackupSelection;
    expect(Resources).toHaveLength(2);
    expect(Resources[0]).toBe(tableArn);
    expect(JSON.stringify(Resources[1])).toContain("WatchedData");
    for (const type of ["AWS::Backup::BackupVault", "AWS::KMS::Key"]) {
      expect(resourceOf(restored.operations, type)).toMatchObject({
        DeletionPolicy: "Retain",
        UpdateReplacePolicy: "Retain",
      });
    }
  });
});
