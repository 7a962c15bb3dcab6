import type { CfnTable } from "aws-cdk-lib/aws-dynamodb";
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { indexNames } from "../../shared/vocabulary/table.ts";
import type { ServiceFunction } from "./service-function.ts";
import { type LeadingKeys, type TableGrant, tableAccess } from "./table-access.ts";

type TableInUse = Pick<
  ITable,
  "tableName" | "tableArn" | "metricConsumedReadCapacityUnits" | "metricConsumedWriteCapacityUnits"
>;

export interface SingleTableProps {
  readonly logicalId: string;
  /** The service uses the restored table with this stream instead of its own. */
  readonly restoredStreamArn?: string | undefined;
  /** @default a key that AWS owns */
  readonly encryptionKey?: IKey | undefined;
  readonly leadingKeys: LeadingKeys;
}

/** Exports stay as they are on a restored table, because an imported export cannot change. */
export class SingleTable extends Construct {
  readonly table: Table;
  readonly inUse: TableInUse;
  readonly #name: string;
  readonly #arn: string;
  readonly #streamArn: string;
  readonly #leadingKeys: LeadingKeys;

  constructor(
    scope: Construct,
    id: string,
    { logicalId, restoredStreamArn, encryptionKey, leadingKeys }: SingleTableProps,
  ) {
    super(scope, id);
    this.#leadingKeys = leadingKeys;
    this.table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: "ttl",
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      ...(encryptionKey && { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    for (const indexName of indexNames) {
      this.table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: `${indexName}_pk`, type: AttributeType.STRING },
        sortKey: { name: `${indexName}_sk`, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      });
    }
    const resource = this.table.node.defaultChild as CfnTable;
    resource.overrideLogicalId(logicalId);

    const stack = Stack.of(this);
    const name = stack.exportValue(this.table.tableName);
    const arn = stack.exportValue(this.table.tableArn);
    const streamArn = stack.exportValue(resource.attrStreamArn);
    const restored = restoredStreamArn === undefined ? undefined : addressesOf(restoredStreamArn);
    this.inUse =
      restored === undefined
        ? this.table
        : Table.fromTableAttributes(this, "Restored", { tableArn: restored.arn });
    this.#name = restored?.name ?? name;
    this.#arn = restored?.arn ?? arn;
    this.#streamArn = restoredStreamArn ?? streamArn;
  }

  bind(fn: ServiceFunction, grant: TableGrant): void {
    for (const access of tableAccess(this.#arn, grant, this.#leadingKeys)) fn.allow(access);
    fn.set("TABLE_NAME", this.#name);
  }

  /** Lambda reads the stream with the function's role. @returns the stream's ARN. */
  bindStream(fn: ServiceFunction): string {
    fn.allow({
      actions: [
        "dynamodb:DescribeStream",
        "dynamodb:GetRecords",
        "dynamodb:GetShardIterator",
        "dynamodb:ListStreams",
      ],
      resources: [this.#streamArn],
    });
    return this.#streamArn;
  }
}

/** The setting is checked to be `arn:aws:dynamodb:<Region>:<account>:table/<name>/stream/<label>`. */
function addressesOf(streamArn: string): { readonly name: string; readonly arn: string } {
  const [arn = ""] = streamArn.split("/stream/");
  return { name: arn.slice(arn.indexOf("/") + 1), arn };
}
