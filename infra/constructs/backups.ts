import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import { type IAlarmAction, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Schedule } from "aws-cdk-lib/aws-events";
import {
  AccountPrincipal,
  ManagedPolicy,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { restorableDays } from "../../shared/vocabulary/time.ts";
import { ServiceAlarm } from "./watching/alarm.ts";
import { sumOfSparse } from "./watching/service-metric.ts";

const keptFor = Duration.days(restorableDays);

const hour = Duration.hours(1);

/** One that did not begin within its window has expired. */
const failures = { Backup: ["Failed", "Aborted", "Expired"], Copy: ["Failed"] } as const;

const backupPolicies = [
  "service-role/AWSBackupServiceRolePolicyForBackup",
  "AWSBackupServiceRolePolicyForS3Backup",
];

export interface BackupsProps {
  readonly deployment: string;
  /** The vault is in another account, so that it survives this one. */
  readonly copyVaultArn: string;
  readonly tableArn: string;
  readonly bucketArn: string;
  readonly action: IAlarmAction;
}

export class Backups extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { deployment, copyVaultArn, tableArn, bucketArn, action }: BackupsProps,
  ) {
    super(scope, id);
    // Other accounts cannot read what an AWS managed key has encrypted.
    const encryptionKey = new Key(this, "Key", {
      description: "Encrypts the backups of table and bucket.",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    letCopy(encryptionKey, copyVaultArn);
    const vault = new BackupVault(this, "Vault", { encryptionKey, removalPolicy: RemovalPolicy.RETAIN });
    const plan = new BackupPlan(this, "Plan", {
      backupVault: vault,
      backupPlanName: Stack.of(this).stackName,
    });
    plan.addRule(
      new BackupPlanRule({
        ruleName: "daily",
        scheduleExpression: Schedule.cron({ hour: "5", minute: "0" }),
        deleteAfter: keptFor,
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(this, "CopyVault", copyVaultArn),
            deleteAfter: keptFor,
          },
        ],
      }),
    );
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("backup.amazonaws.com"),
      managedPolicies: backupPolicies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
    });
    for (const name of backupPolicies) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
        reason: "AWS Backup changes what it needs, and its policies with it.",
      });
    }
    plan.addSelection("Data", {
      role,
      disableDefaultBackupPolicy: true,
      resources: [tableArn, bucketArn].map((arn) => BackupResource.fromArn(arn)),
    });
    new CfnOutput(this, "VaultName", {
      description: "Where the daily backups are.",
      value: vault.backupVaultName,
    }).overrideLogicalId("BackupVaultName");
    for (const [subject, endings] of Object.entries(failures)) {
      new ServiceAlarm(this, `${subject}-failed`, {
        severity: "warning",
        deployment,
        heading: "Backups failed",
        subject,
        metric: sumOfSparse(
          `${subject} jobs failed`,
          hour,
          Object.fromEntries(endings.map((name) => [name.toLowerCase(), jobs(vault, subject, name)])),
        ),
        action,
      });
    }
  }
}

/** The destination's account reads the copies under this key, and writes them under its own. */
function letCopy(key: Key, copyVaultArn: string): void {
  const destination = new AccountPrincipal(copyVaultArn.split(":")[4] ?? "");
  const use = ["Decrypt", "DescribeKey", "Encrypt", "GenerateDataKey*", "ReEncrypt*"];
  const grants = ["CreateGrant", "ListGrants", "RevokeGrant"];
  for (const [actions, conditions] of [
    [use, {}],
    [grants, { Bool: { "kms:GrantIsForAWSResource": "true" } }],
  ] as const) {
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [destination],
        actions: actions.map((action) => `kms:${action}`),
        resources: ["*"],
        conditions,
      }),
    );
  }
}

function jobs(vault: BackupVault, subject: string, ending: string): Metric {
  return new Metric({
    namespace: "AWS/Backup",
    metricName: `NumberOf${subject}Jobs${ending}`,
    dimensionsMap: { BackupVaultName: vault.backupVaultName },
    period: hour,
    statistic: Stats.SUM,
  });
}
