import type { FunctionModel } from "../../../infra/local/template/application.ts";

export const aDurableFunction: FunctionModel = {
  address: "stack/Fn",
  logicalId: "Fn",
  shortName: "Fn",
  name: "fn",
  region: "us-east-1",
  arn: "arn:aws:lambda:us-east-1:000000000000:function:fn",
  folder: "",
  handler: "index.handler",
  runtime: "nodejs24.x",
  environment: {},
  timeoutSeconds: 5,
  memoryMb: 256,
  reservedConcurrency: undefined,
  asyncRetriesMax: 2,
  asyncEventAgeMaxMs: 21_600_000,
  versions: ["1"],
  aliases: {},
  callers: [],
  durable: {
    executionTimeoutSeconds: 3_600,
    retentionDays: 2,
    deadLetterArn: undefined,
    onFailureArn: undefined,
  },
  role: { name: "role", arn: "arn:aws:iam::000000000000:role/role", policies: [] },
};
