import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from "aws-cdk-lib/aws-backup";
import { Schedule } from "aws-cdk-lib/aws-events";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { restorableDays } from "../../shared/vocabulary/time.ts";

const keptFor = Duration.days(restorableDays);

const backupPolicies = [
  "service-role/AWSBackupServiceRolePolicyForBackup",
  "AWSBackupServiceRolePolicyForS3Backup",
];

export interface BackupsProps {
  /** The vault is in another account, so that it survives this one. */
  readonly copyVaultArn: string;
  readonly tableArn: string;
  readonly bucketArn: string;
}

export class Backups extends Construct {
  constructor(scope: Construct, id: string, { copyVaultArn, tableArn, bucketArn }: BackupsProps) {
    super(scope, id);
    // Other accounts cannot read what an AWS managed key has encrypted.
    const encryptionKey = new Key(this, "Key", {
      description: "Encrypts the backups of table and bucket.",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
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
  }
}
