import { AwsError, notImplemented } from "../aws-error.ts";
import { localArn } from "../local-account.ts";
import type { Answer, AwsService, OperationSource, ServiceCall } from "../service-call.ts";

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html */
export const messageBytesMax = 128 * 1024;

export type PostOutcome = "ok" | "gone" | "too_large";

export interface ConnectionInfo {
  readonly connectedAt: string;
  readonly lastActiveAt: string;
  readonly identity: { readonly sourceIp: string; readonly userAgent: string };
}

export interface ConnectionsHandler {
  readonly apiId: string;
  post(connectionId: string, body: Uint8Array): PostOutcome;
  get(connectionId: string): ConnectionInfo | "gone";
  delete(connectionId: string): "ok" | "gone";
}

const address = /^\/([^/]+)\/(?:@|%40)connections\/([^/]+)$/i;

const operations: Readonly<Record<string, string>> = {
  POST: "PostToConnection",
  GET: "GetConnection",
  DELETE: "DeleteConnection",
};

export class ConnectionsService implements AwsService {
  readonly name = "execute-api";
  readonly #handler: () => ConnectionsHandler | undefined;

  constructor(handler: () => ConnectionsHandler | undefined) {
    this.#handler = handler;
  }

  operationOf(request: OperationSource): string {
    const operation = operations[request.method];
    if (!operation || !address.test(request.path))
      throw notImplemented(`${request.method} on an API's own routes`);
    return operation;
  }

  handle(call: ServiceCall): Answer {
    const handler = this.#handler();
    if (!handler) throw new AwsError(403, "ForbiddenException", "no WebSocket API is running");
    const [, stage = "", encodedId = ""] = address.exec(call.path) ?? [];
    const connectionId = decodeId(encodedId);
    const resource = localArn(
      "execute-api",
      `${handler.apiId}/${stage}/${call.method}/@connections/${connectionId}`,
    );
    call.authorize([{ action: "execute-api:ManageConnections", resource }]);
    if (call.operation === "PostToConnection") return this.#post(handler, connectionId, call.body);
    if (call.operation === "DeleteConnection") {
      if (handler.delete(connectionId) === "gone") throw gone();
      return { status: 204 };
    }
    const info = handler.get(connectionId);
    if (info === "gone") throw gone();
    return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(info) };
  }

  present(error: AwsError): Answer {
    const status = error.code === "AccessDeniedException" ? 403 : error.status;
    return {
      status,
      headers: { "content-type": "application/json", "x-amzn-errortype": error.code },
      // API Gateway returns Gone with no body.
      ...(error.code !== "GoneException" && { body: JSON.stringify({ message: error.message }) }),
    };
  }

  #post(handler: ConnectionsHandler, connectionId: string, body: Uint8Array): Answer {
    if (body.length > messageBytesMax) throw tooLarge();
    const outcome = handler.post(connectionId, body);
    if (outcome === "gone") throw gone();
    if (outcome === "too_large") throw tooLarge();
    return { status: 200 };
  }
}

function decodeId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new AwsError(400, "BadRequestException", "Invalid connectionId");
  }
}

function gone(): AwsError {
  return new AwsError(410, "GoneException", "the connection is gone");
}

function tooLarge(): AwsError {
  return new AwsError(413, "PayloadTooLargeException", "Payload too large");
}
