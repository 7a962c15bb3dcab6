import { AwsError, notImplemented } from "../aws/aws-error.ts";
import type { Answer, ServiceCall } from "../aws/service-call.ts";
import type { FunctionModel } from "../template/application.ts";
import type { Clock } from "./durable/clock.ts";
import type { DurableEngine } from "./durable/durable-engine.ts";
import { syncExecutionSecondsMax } from "./durable/limits.ts";
import { invalidParameter } from "./durable/wire.ts";
import { versionOf } from "./function-reference.ts";
import type { LambdaService } from "./lambda-service.ts";
import { asyncRequestBytesMax, syncRequestBytesMax } from "./limits.ts";

export interface LambdaBackend {
  readonly functions: readonly FunctionModel[];
  readonly lambda: Pick<LambdaService, "invoke" | "invokeAsync">;
  readonly engine: DurableEngine;
  readonly clock: Clock;
}

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html */
export async function invokeFunction(
  backend: LambdaBackend,
  fn: FunctionModel,
  qualifier: string | undefined,
  call: ServiceCall,
): Promise<Answer> {
  const type = header(call, "x-amz-invocation-type") ?? "RequestResponse";
  if (type !== "Event" && type !== "RequestResponse") throw notImplemented(`an invocation of type ${type}`);
  const isAsync = type === "Event";
  const version = versionOf(fn, qualifier);
  const payload = payloadOf(call, isAsync);
  if (fn.durable !== undefined)
    return await startExecution(backend, fn, { qualifier, version, payload, isAsync }, call);
  if (header(call, "x-amz-durable-execution-name") !== undefined)
    throw invalidParameter("DurableExecutionName is for durable functions only.");
  const event: unknown = JSON.parse(payload);
  const executed = { "x-amz-executed-version": version };
  if (isAsync) {
    void backend.lambda.invokeAsync(fn.address, event);
    return { status: 202, headers: executed };
  }
  const result = await backend.lambda.invoke(fn.address, event);
  if (result.ok) return response(JSON.stringify(result.payload), executed);
  if (result.kind === "throttled") throw new AwsError(429, result.error.errorType, result.error.errorMessage);
  return response(JSON.stringify(result.error), { ...executed, "x-amz-function-error": "Unhandled" });
}

interface Start {
  readonly qualifier: string | undefined;
  readonly version: string;
  readonly payload: string;
  readonly isAsync: boolean;
}

async function startExecution(
  { engine }: LambdaBackend,
  fn: FunctionModel,
  { qualifier, version, payload, isAsync }: Start,
  call: ServiceCall,
): Promise<Answer> {
  if (qualifier === undefined)
    throw invalidParameter("You cannot invoke a durable function using an unqualified ARN.");
  const name = header(call, "x-amz-durable-execution-name");
  if (name !== undefined && !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    throw invalidParameter(`not a name of an execution: ${name}`);
  const seconds = fn.durable?.executionTimeoutSeconds ?? 0;
  if (!isAsync && seconds > syncExecutionSecondsMax) {
    throw invalidParameter(
      "You cannot synchronously invoke a durable function with an executionTimeout greater than 15 minutes.",
    );
  }
  const execution = engine.start({ fn, version, name, payload, isAsync });
  const headers = { "x-amz-executed-version": version, "x-amz-durable-execution-arn": execution.arn };
  if (isAsync) return { status: 202, headers };
  const { status, result, error } = await engine.ended(execution);
  if (status === "SUCCEEDED") return response(result, headers);
  const body = JSON.stringify({ errorType: error?.ErrorType, errorMessage: error?.ErrorMessage });
  return response(body, { ...headers, "x-amz-function-error": "Unhandled" });
}

function response(body: string | undefined, headers: Readonly<Record<string, string>>): Answer {
  return { status: 200, headers: { "content-type": "application/json", ...headers }, body: body ?? "null" };
}

function header(call: ServiceCall, name: string): string | undefined {
  const value = call.headers[name];
  return typeof value === "string" ? value : undefined;
}

function payloadOf({ body }: ServiceCall, isAsync: boolean): string {
  const max = isAsync ? asyncRequestBytesMax : syncRequestBytesMax;
  if (body.length > max) {
    const message = `Request must be smaller than ${max} bytes for the InvokeFunction operation`;
    throw new AwsError(413, "RequestTooLargeException", message);
  }
  const text = body.length === 0 ? "{}" : body.toString("utf8");
  try {
    JSON.parse(text);
  } catch {
    throw new AwsError(400, "InvalidRequestContentException", "Could not parse request body into json");
  }
  return text;
}
