import { Stack } from "aws-cdk-lib/core";
import type { ServiceFunction } from "./service-function.ts";

/** The customer's key works only through the services that it encrypts for. */
export function allowCustomerKey(fn: ServiceFunction, kmsKeyArn: string | undefined): void {
  if (kmsKeyArn === undefined) return;
  const { region, urlSuffix } = Stack.of(fn);
  const services = ["dynamodb", "s3", "secretsmanager"];
  fn.allow({
    actions: ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"],
    resources: [kmsKeyArn],
    conditions: {
      StringEquals: { "kms:ViaService": services.map((name) => `${name}.${region}.${urlSuffix}`) },
    },
  });
}
