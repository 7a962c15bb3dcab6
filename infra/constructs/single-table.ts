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

/** The actions on items. Scan is missing on purpose: no query of the service needs it. */
export type ItemAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "ConditionCheckItem";

/** A function's share of the table. */
export interface TableGrant {
  readonly items: Readonly<Partial<Record<KeyKind, readonly ItemAction[]>>>;
  /** Queried; they hold keys only. */
  readonly indexes?: readonly IndexName[];
}

/** The part of a table that alarms, the dashboard and backups use. */
type TableInUse = Pick<
  ITable,
  "tableName" | "tableArn" | "metricConsumedReadCapacityUnits" | "metricConsumedWriteCapacityUnits"
>;

export interface SingleTableProps {
  readonly logicalId: string;
  /** The stream's ARN of a restored table, which the service uses instead of its own. */
  readonly restoredStreamArn?: string | undefined;
  /** @default one that AWS owns */
  readonly encryptionKey?: IKey | undefined;
}

/**
 * The service's one table. Its name and addresses are exported once and for all, so that a consumer that goes
 * away never makes CloudFormation remove an export that the old consumer still imports. They stay as they are while the
 * service is on a restored table, whose addresses are text: CloudFormation changes no export that is imported.
 */
export class SingleTable extends Construct {
  readonly table: Table;
  /** The table that the service uses: this one, or one that was restored. */
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

  /**
   * These kinds of items and indexes, nothing else of the table; sets TABLE_NAME.
   *
   * A statement for each action, with all kinds that it is for: the keys of one batch must all be in one statement.
   */
  bind(fn: ServiceFunction, { items, indexes = [] }: TableGrant): void {
    for (const [action, patterns] of patternsByAction(items)) {
      fn.allow({
        actions: [`dynamodb:${action}`],
        resources: [this.#arn],
        conditions: {
          "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
          // Without it a call that names no items would pass: every one of none is like them.
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

  /**
   * Reading the stream, which Lambda does in the function's name.
   *
   * @returns the stream's ARN, for the event source mapping.
   */
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

/** `arn:aws:dynamodb:<Region>:<account>:table/<name>/stream/<label>`, which the setting is checked for. */
function addressesOf(streamArn: string): { readonly name: string; readonly arn: string } {
  const [arn = ""] = streamArn.split("/stream/");
  return { name: arn.slice(arn.indexOf("/") + 1), arn };
}

function patternsByAction(items: TableGrant["items"]): ReadonlyMap<ItemAction, readonly string[]> {
  const patterns = new Map<ItemAction, string[]>();
  for (const [kind, actions] of Object.entries(items)) {
    for (const action of actions) {
      patterns.set(action, [...(patterns.get(action) ?? []), keyPatterns[kind as KeyKind]]);
    }
  }
  return patterns;
}
