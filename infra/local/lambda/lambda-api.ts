import { AwsError, notImplemented } from "../aws/aws-error.ts";
import { localArn } from "../aws/local-account.ts";
import type { Answer, AwsService, OperationSource, ServiceCall } from "../aws/service-call.ts";
import { readCallbackId } from "./durable/callback-id.ts";
import { durableCalls, listExecutions } from "./durable/durable-calls.ts";
import { withSeconds } from "./durable/wire.ts";
import { parseFunctionReference, versionOf } from "./function-reference.ts";
import { invokeFunction, type LambdaBackend } from "./invoke-function.ts";

const functions = "^/2015-03-31/functions/([^/]+)";
const executions = "^/2025-12-01/durable-executions/([^/]+)";

/** Source: the paths of `@aws-sdk/client-lambda`. */
const routes: readonly { readonly method: string; readonly path: RegExp; readonly operation: string }[] = [
  { method: "POST", path: new RegExp(`${functions}/invocations$`), operation: "Invoke" },
  { method: "POST", path: new RegExp(`${executions}/checkpoint$`), operation: "CheckpointDurableExecution" },
  { method: "GET", path: new RegExp(`${executions}/state$`), operation: "GetDurableExecutionState" },
  { method: "GET", path: new RegExp(`${executions}/history$`), operation: "GetDurableExecutionHistory" },
  { method: "GET", path: new RegExp(`${executions}$`), operation: "GetDurableExecution" },
  { method: "POST", path: new RegExp(`${executions}/stop$`), operation: "StopDurableExecution" },
  {
    method: "POST",
    path: /^\/2025-12-01\/durable-execution-callbacks\/([^/]+)\/succeed$/,
    operation: "SendDurableExecutionCallbackSuccess",
  },
  {
    method: "GET",
    path: /^\/2025-12-01\/functions\/([^/]+)\/durable-executions$/,
    operation: "ListDurableExecutionsByFunction",
  },
];

export class LambdaApi implements AwsService {
  readonly name = "lambda";
  readonly #backend: () => LambdaBackend | undefined;

  constructor(backend: () => LambdaBackend | undefined) {
    this.#backend = backend;
  }

  operationOf({ method, path }: OperationSource): string {
    const route = routes.find((each) => each.method === method && each.path.test(path));
    if (route === undefined) throw notImplemented(`Lambda's ${method} ${path}`);
    return route.operation;
  }

  async handle(call: ServiceCall): Promise<Answer> {
    const backend = this.#backend();
    if (backend === undefined)
      throw new AwsError(503, "ServiceException", "the functions are not running yet");
    const subject = subjectOf(call);
    if (call.operation === "SendDurableExecutionCallbackSuccess") {
      const { arn, operationId } = readCallbackId(subject);
      call.authorize([{ action: `lambda:${call.operation}`, resource: arn }]);
      const result = call.body.length === 0 ? {} : { result: call.body.toString("utf8") };
      backend.engine.completeCallback(backend.engine.get(arn), { operationId, ...result });
      return json({});
    }
    const durable = durableCalls[call.operation];
    if (durable !== undefined) {
      call.authorize([{ action: `lambda:${call.operation}`, resource: subject }]);
      return json(durable(backend.engine, backend.clock, backend.engine.get(subject), call));
    }
    const { name, qualifier } = parseFunctionReference(subject, call.query.get("Qualifier") ?? undefined);
    const arn = localArn("lambda", `function:${name}`);
    const isInvoke = call.operation === "Invoke";
    const fn = backend.functions.find((each) => each.name === name);
    // The function's own policy does not apply to its versions.
    const isLetIn = isInvoke && qualifier === undefined && fn?.callers.includes(call.principal.roleName);
    if (!isLetIn) {
      call.authorize([
        {
          action: isInvoke ? "lambda:InvokeFunction" : `lambda:${call.operation}`,
          resource: isInvoke && qualifier !== undefined ? `${arn}:${qualifier}` : arn,
        },
      ]);
    }
    if (fn === undefined) throw new AwsError(404, "ResourceNotFoundException", `Function not found: ${arn}`);
    if (isInvoke) return await invokeFunction(backend, fn, qualifier, call);
    const version = qualifier === undefined ? undefined : versionOf(fn, qualifier);
    return json(listExecutions(backend.engine, fn.address, version, call.query));
  }

  present(error: AwsError): Answer {
    return {
      status: error.code === "AccessDeniedException" ? 403 : error.status,
      headers: { "content-type": "application/json", "x-amzn-errortype": error.code },
      body: JSON.stringify({ Type: "User", Message: error.message, message: error.message }),
    };
  }
}

function json(body: unknown): Answer {
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(withSeconds(body)),
  };
}

function subjectOf({ path }: ServiceCall): string {
  const encoded =
    routes.map((route) => route.path.exec(path)?.[1]).find((found) => found !== undefined) ?? "";
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new AwsError(400, "InvalidParameterValueException", "the path cannot be read");
  }
}
