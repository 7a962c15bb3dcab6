import { CfnFunction } from "aws-cdk-lib/aws-lambda";
import { CfnLogGroup } from "aws-cdk-lib/aws-logs";
import { CfnTopic } from "aws-cdk-lib/aws-sns";
import { CfnQueue } from "aws-cdk-lib/aws-sqs";
import { Aspects, Stack } from "aws-cdk-lib/core";
import type { IConstruct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

/** `lambda` is for the state of executions: to start, read or continue one is to decrypt it. */
const services = ["dynamodb", "lambda", "s3", "secretsmanager", "sqs"];

/** The customer's key works only through the services that it encrypts for. */
export function allowCustomerKey(fn: ServiceFunction, kmsKeyArn: string | undefined): void {
  if (kmsKeyArn === undefined) return;
  const { region, urlSuffix } = Stack.of(fn);
  fn.allow({
    actions: ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"],
    resources: [kmsKeyArn],
    conditions: {
      StringEquals: { "kms:ViaService": services.map((name) => `${name}.${region}.${urlSuffix}`) },
    },
  });
}

/**
 * Encrypts all logs, queues, topics and states of executions of a stack by the customer's key, also those added later.
 *
 * Sources: https://docs.aws.amazon.com/lambda/latest/dg/durable-encryption.html,
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
 */
export function encryptByCustomerKey(stack: Stack, kmsKeyArn: string | undefined): void {
  if (kmsKeyArn === undefined) return;
  Aspects.of(stack).add({ visit: (node) => encrypt(node, kmsKeyArn) });
}

function encrypt(node: IConstruct, kmsKeyArn: string): void {
  if (node instanceof CfnLogGroup) node.kmsKeyId = kmsKeyArn;
  if (node instanceof CfnTopic) node.kmsMasterKeyId = kmsKeyArn;
  if (node instanceof CfnQueue) {
    node.kmsMasterKeyId = kmsKeyArn;
    node.sqsManagedSseEnabled = false;
  }
  if (node instanceof CfnFunction && node.durableConfig !== undefined) {
    node.addPropertyOverride("DurableConfig.KMSKeyArn", kmsKeyArn);
  }
}
