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
import { type KeyKind, keyPatterns } from "../../shared/storage/table/key-patterns.ts";
import { type IndexName, indexNames } from "../../shared/vocabulary/table.ts";
import type { ServiceFunction } from "./service-function.ts";

/** Scan is left out because no query of the service needs it. */
type ItemAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "ConditionCheckItem";

type ItemGrant = Readonly<Partial<Record<KeyKind, readonly ItemAction[]>>>;

export interface TableGrant extends ItemGrant {
  /** Indexes hold only keys. */
  readonly indexes?: readonly IndexName[];
}

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
}

/** Exports stay as they are on a restored table, because an imported export cannot change. */
export class SingleTable extends Construct {
  readonly table: Table;
  readonly inUse: TableInUse;
  readonly #name: string;
  readonly #arn: string;
  readonly #streamArn: string;

  constructor(
    scope: Construct,
    id: string,
    { logicalId, restoredStreamArn, encryptionKey }: SingleTableProps,
  ) {
    super(scope, id);
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

  /** Each action has one statement, because all keys of a batch must be in one. */
  bind(fn: ServiceFunction, { indexes = [], ...items }: TableGrant): void {
    for (const [action, patterns] of patternsByAction(items)) {
      fn.allow({
        actions: [`dynamodb:${action}`],
        resources: [this.#arn],
        conditions: {
          "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
          // Without it a call that names no items would be allowed.
          Null: { "dynamodb:LeadingKeys": "false" },
        },
      });
    }
    if (indexes.length > 0) {
      fn.allow({
        actions: ["dynamodb:Query"],
        resources: indexes.map((index) => `${this.#arn}/index/${index}`),
      });
    }
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

function patternsByAction(items: ItemGrant): ReadonlyMap<ItemAction, readonly string[]> {
  const patterns = new Map<ItemAction, string[]>();
  for (const [kind, actions] of Object.entries(items)) {
    for (const action of actions) {
      patterns.set(action, [...(patterns.get(action) ?? []), keyPatterns[kind as KeyKind]]);
    }
  }
  return patterns;
}
