import { AttributeType, BillingMode, ProjectionType, Table } from "aws-cdk-lib/aws-dynamodb";
import type { Code } from "aws-cdk-lib/aws-lambda";
import { CfnOutput, Duration, RemovalPolicy, Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { ServiceFunction } from "../constructs/service-function.ts";
import { tableAccess } from "../constructs/table-access.ts";
import { outsideIndex, probeGrant } from "./forms.ts";

export const probeStackName = "das-probe";
export const functionNameOutput = "FunctionName";

/** Everything in the stack goes with it. */
export class ProbeStack extends Stack {
  constructor(scope: Construct, code: Code) {
    super(scope, probeStackName);
    const table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    for (const indexName of [...probeGrant.indexes, outsideIndex]) {
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: `${indexName}_pk`, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      });
    }
    const probe = new ServiceFunction(this, "Probe", {
      code,
      timeout: Duration.minutes(2),
      memoryMegabytes: 512,
      logRetentionDays: 1,
      logLevel: "error",
      environment: { DEPLOYMENT: "probe", SERVICE_VERSION: "probe" },
    });
    for (const access of tableAccess(table.tableArn, probeGrant, "enforced")) probe.allow(access);
    probe.set("TABLE_NAME", table.tableName);
    new CfnOutput(this, functionNameOutput, { value: probe.lambda.functionName });
  }
}
