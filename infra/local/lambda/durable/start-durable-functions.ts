import { randomUUID } from "node:crypto";
import { localAccount, localRegion } from "../../aws/local-account.ts";
import { matchesPattern } from "../../events/event-pattern.ts";
import type { Application, FunctionModel } from "../../template/application.ts";
import type { JsonObject } from "../../template/json.ts";
import type { LambdaService } from "../lambda-service.ts";
import type { Clock } from "./clock.ts";
import { DurableEngine } from "./durable-engine.ts";
import type { DurableExecution } from "./durable-execution.ts";
import { ExecutionFiles } from "./execution-records.ts";

export interface DurableFunctionsInput {
  readonly app: Pick<Application, "functions" | "eventRules">;
  readonly lambda: Pick<LambdaService, "invoke" | "invokeAsync">;
  readonly clock: Clock;
  readonly sendToQueue: (arn: string, body: string) => void;
  /** @default executions end with the stack */
  readonly folder?: string | undefined;
}

export function startDurableFunctions({
  app,
  lambda,
  clock,
  sendToQueue,
  folder,
}: DurableFunctionsInput): DurableEngine {
  const onStatus = (execution: DurableExecution): void => {
    const event = statusEvent(execution);
    for (const rule of app.eventRules) {
      if (!rule.enabled || !matchesPattern(rule.pattern, event)) continue;
      for (const { functionAddress, queueArn } of rule.targets) {
        if (functionAddress !== undefined) void lambda.invokeAsync(functionAddress, event);
        if (queueArn !== undefined) sendToQueue(queueArn, JSON.stringify(event));
      }
    }
    const fn = app.functions.find(({ address }) => address === execution.input.functionAddress);
    if (hasFailed(execution) && fn?.durable !== undefined) tellOfFailure(execution, fn.durable);
  };
  const tellOfFailure = (
    execution: DurableExecution,
    { deadLetterArn, onFailureArn }: NonNullable<FunctionModel["durable"]>,
  ): void => {
    if (deadLetterArn !== undefined) sendToQueue(deadLetterArn, execution.input.payload);
    if (onFailureArn !== undefined) sendToQueue(onFailureArn, failureRecord(execution));
  };
  const records = folder === undefined ? undefined : new ExecutionFiles(folder);
  return new DurableEngine({ clock, invoke: lambda.invoke, onStatus, records });
}

function hasFailed({ input, ending }: DurableExecution): boolean {
  return input.isAsync && ending !== undefined && ending.status !== "SUCCEEDED";
}

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html */
function statusEvent({ arn, input, ending, status }: DurableExecution): JsonObject {
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

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html */
function failureRecord({ input, ending, arn }: DurableExecution): string {
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
