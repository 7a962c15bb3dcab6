import { randomUUID } from "node:crypto";
import type { DurableExecution } from "./durable-execution.ts";

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html */
export function failureRecord({ input, ending, arn }: DurableExecution): string {
  return JSON.stringify({
    version: "1.0",
    timestamp: new Date(ending?.atMs ?? input.startedAtMs).toISOString(),
    requestContext: {
      requestId: randomUUID(),
      functionArn: input.functionArn,
      condition: "RetriesExhausted",
      approximateInvokeCount: 1,
      durableExecutionArn: arn,
    },
    requestPayload: JSON.parse(input.payload),
    responseContext: {
      statusCode: 200,
      executedVersion: input.functionArn.slice(input.functionArn.lastIndexOf(":") + 1),
      functionError: "Unhandled",
    },
    responsePayload: ending?.error ?? null,
  });
}
