import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../template/json.ts";
import { localAccount, localRegion } from "../../template/physical-names.ts";
import type { DurableExecution } from "./durable-execution.ts";

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html */
export function statusEvent({ arn, input, ending, status }: DurableExecution): JsonObject {
  const changedAt = new Date(ending?.atMs ?? input.startedAtMs).toISOString();
  return {
    version: "0",
    id: randomUUID(),
    "detail-type": "Durable Execution Status Change",
    source: "aws.lambda",
    account: localAccount,
    time: `${changedAt.slice(0, 19)}Z`,
    region: localRegion,
    resources: [],
    detail: {
      durableExecutionArn: arn,
      durableExecutionName: input.name,
      functionArn: input.functionArn,
      status,
      startTimestamp: new Date(input.startedAtMs).toISOString(),
      ...(ending !== undefined && { endTimestamp: changedAt }),
    },
  };
}
