import { Key } from "aws-cdk-lib/aws-kms";
import { Aws, CfnOutput, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { FilesBucket } from "../constructs/files-bucket.ts";
import { ServiceKey } from "../constructs/secrets/service-key.ts";
import { ServiceEvents } from "../constructs/service-events.ts";
import { SingleTable } from "../constructs/single-table.ts";
import type { Settings } from "../settings.ts";

/** Logical ids never change: CloudFormation would create a new, empty table and leave the old one behind. */
const dataLogicalIds = {
  table: "Table",
  files: "Files",
  tunnelKey: "TunnelKey",
  idempotencyKey: "IdempotencyKey",
  dataKey: "DataKey",
  events: "Events",
} as const;

const oneMoreReader = "a rotation function would be one more reader of the key.";

export interface DataStackProps extends StackProps {
  readonly settings: Pick<
    Settings,
    | "deployment"
    | "stepDays"
    | "restoredTableStreamArn"
    | "kmsKeyArn"
    | "leadingKeys"
    | "corsOrigins"
    | "httpHostName"
  >;
}

/** Deleting the stack leaves table, bucket and data key in the account. */
export class DataStack extends Stack {
  readonly table: SingleTable;
  readonly files: FilesBucket;
  /** This key signs mailboxes, tickets and connection tokens. */
  readonly tunnelKey: ServiceKey;
  readonly idempotencyKey: ServiceKey;
  readonly dataKey: ServiceKey;
  readonly events: ServiceEvents;

  constructor(scope: Construct, id: string, { settings, ...props }: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: true });
    const encryptionKey =
      settings.kmsKeyArn === undefined
        ? undefined
        : Key.fromKeyArn(this, "EncryptionKey", settings.kmsKeyArn);
    this.table = new SingleTable(this, "SingleTable", {
      logicalId: dataLogicalIds.table,
      restoredStreamArn: settings.restoredTableStreamArn,
      encryptionKey,
      leadingKeys: settings.leadingKeys,
    });
    this.files = new FilesBucket(this, "FilesBucket", {
      logicalId: dataLogicalIds.files,
      stepDays: settings.stepDays,
      pageOrigins: [consoleOrigin(settings), ...settings.corsOrigins],
      encryptionKey,
    });
    const signing = { rotation: `Rotated by put-secret-value (RUNBOOK.md): ${oneMoreReader}`, encryptionKey };
    this.tunnelKey = new ServiceKey(this, "TunnelSigning", {
      logicalId: dataLogicalIds.tunnelKey,
      description: "Signs driver connection tokens, tickets and mailboxes.",
      variable: "TUNNEL_KEY_SECRET",
      ...signing,
    });
    this.idempotencyKey = new ServiceKey(this, "IdempotencySigning", {
      logicalId: dataLogicalIds.idempotencyKey,
      description: "Signs the bodies of requests under an Idempotency-Key.",
      variable: "IDEMPOTENCY_KEY_SECRET",
      ...signing,
    });
    this.dataKey = new ServiceKey(this, "Data", {
      logicalId: dataLogicalIds.dataKey,
      description: "Encrypts what lies in the table.",
      variable: "DATA_KEY_SECRET",
      encryptionKey,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      rotation: `Rotated by hand (RUNBOOK.md): ${oneMoreReader}`,
    });
    const name = `das-${settings.deployment}`;
    this.events = new ServiceEvents(this, "ServiceEvents", { logicalId: dataLogicalIds.events, name });
    // A failed first creation is rolled back, which a protected table prevents, so it is created last.
    this.table.node.addDependency(
      ...[this.files, this.tunnelKey, this.idempotencyKey, this.dataKey, this.events],
    );
    const outputs = {
      TableName: this.table.inUse.tableName,
      BucketName: this.files.bucket.bucketName,
      TunnelKeyArn: this.tunnelKey.secret.secretArn,
      IdempotencyKeyArn: this.idempotencyKey.secret.secretArn,
      DataKeyArn: this.dataKey.secret.secretArn,
      EventBusName: this.events.bus.eventBusName,
      EventBusArn: this.events.bus.eventBusArn,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

/**
 * The console is a page of the HTTP API, whose stack needs this one, so that its own address is not known here: without a
 * host name, pages of any API of the Region may use a presigned URL that they have.
 */
function consoleOrigin({ httpHostName }: DataStackProps["settings"]): string {
  return `https://${httpHostName ?? `*.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`}`;
}
