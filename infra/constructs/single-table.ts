import type { CfnTable } from "aws-cdk-lib/aws-dynamodb";
import { AttributeType, BillingMode, ProjectionType, StreamViewType, Table } from "aws-cdk-lib/aws-dynamodb";
import { RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

/**
 * There from the first release, because CloudFormation makes one index per update of a table. `list` serves the
 * lists, `filter1` to `filter4` their filters, `due` the sweeper.
 */
const indexes = ["list", "filter1", "filter2", "filter3", "filter4", "due"] as const;

/** What the code calls on the table. Scan is missing on purpose: no query of the service needs it. */
const tableActions = [
  "dynamodb:GetItem",
  "dynamodb:BatchGetItem",
  "dynamodb:Query",
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
  "dynamodb:ConditionCheckItem",
] as const;

/**
 * The items of API keys. Keys are made and revoked from the command line, by people with rights of their own: a
 * function that could write them could let anyone in.
 */
const apiKeyItems = "KEY#*";

const apiKeyWrites = [
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
  // Granted to none today; should it ever be, then not for these.
  "dynamodb:BatchWriteItem",
] as const;

/**
 * The service's one table. Its name and addresses are exported once and for all, so that a consumer that goes
 * away never makes CloudFormation remove an export that the old consumer still imports.
 */
export class SingleTable extends Construct {
  readonly table: Table;
  readonly #name: string;
  readonly #arn: string;
  readonly #streamArn: string;

  constructor(scope: Construct, id: string, logicalId: string) {
    super(scope, id);
    this.table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: "ttl",
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    for (const indexName of indexes) {
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
    this.#name = stack.exportValue(this.table.tableName);
    this.#arn = stack.exportValue(this.table.tableArn);
    this.#streamArn = stack.exportValue(resource.attrStreamArn);
  }

  /**
   * Reads and writes of the table and its indexes, of API keys reads alone; sets TABLE_NAME.
   *
   * @param options.mayUpdateApiKeys for the sweeper, which notes that a revoked key is settled.
   */
  bindReadWrite(fn: ServiceFunction, options: { readonly mayUpdateApiKeys?: boolean } = {}): void {
    fn.allow({
      actions: tableActions,
      resources: [this.#arn, `${this.#arn}/index/*`],
      wildcardReason: "Every index of this table holds keys of the same items and nothing else.",
    });
    fn.deny({
      actions: apiKeyWrites.filter(
        (action) => action !== "dynamodb:UpdateItem" || options.mayUpdateApiKeys !== true,
      ),
      resources: [this.#arn],
      // Any, not all: one such item in a batch is enough. A transaction is judged item by item, as these actions.
      conditions: { "ForAnyValue:StringLike": { "dynamodb:LeadingKeys": apiKeyItems } },
    });
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
