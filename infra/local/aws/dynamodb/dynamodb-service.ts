import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { AwsError, notImplemented } from "../aws-error.ts";
import { parseJsonBody, presentJsonError } from "../json-protocol.ts";
import { readBody } from "../read-body.ts";
import type { Answer, AwsService, ServiceCall } from "../service-call.ts";
import { databaseAuthorization } from "./database-key.ts";
import type { DynamoDbEngine } from "./dynamodb-local.ts";
import { dynamoDbPermissions, streamPermissions } from "./dynamodb-permissions.ts";

const forwarded = ["x-amz-target", "content-type", "x-amz-date"] as const;
const handedBack = ["content-type", "x-amz-crc32", "x-amzn-requestid"] as const;
const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)Items?$/;

/** Calls are authorized here and done by DynamoDB Local. */
export class DynamoDbService implements AwsService {
  readonly name: string;
  readonly #engine: DynamoDbEngine;
  readonly #permissionsOf: typeof dynamoDbPermissions;
  readonly #partitionKeys = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  constructor(kind: "dynamodb" | "dynamodb-streams", engine: DynamoDbEngine) {
    this.name = kind;
    this.#engine = engine;
    this.#permissionsOf = kind === "dynamodb" ? dynamoDbPermissions : streamPermissions;
  }

  knowTable(tableName: string, partitionKey: string): void {
    this.#partitionKeys.set(tableName, partitionKey);
  }

  /** Calls the listener after each write, whatever came of it. */
  onWrite(listener: () => void): void {
    this.#listeners.add(listener);
  }

  async handle(call: ServiceCall): Promise<Answer> {
    if (call.principal.policies !== "admin") {
      const needed = this.#permissionsOf(call.operation, parseJsonBody(call.body), (name) =>
        this.#partitionKeys.get(name),
      );
      if (!needed) throw notImplemented(`the permissions of ${this.name}:${call.operation}`);
      call.authorize(needed);
    }
    const { response, body } = await this.#forward(call);
    if (isWrite.test(call.operation)) for (const listener of this.#listeners) listener();
    const headers: Record<string, string> = {};
    for (const name of handedBack) {
      const value = response.headers[name];
      if (typeof value === "string") headers[name] = value;
    }
    return { status: response.statusCode ?? 502, headers, body };
  }

  present(error: AwsError): Answer {
    const namespace =
      error.code === "AccessDeniedException" || error.code === "UnrecognizedClientException"
        ? "com.amazon.coral.service"
        : "com.amazonaws.dynamodb.v20120810";
    return presentJsonError(error, namespace, "1.0");
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The whole response is read, so that it goes back in one write. */
  async #forward(
    call: ServiceCall,
  ): Promise<{ readonly response: IncomingMessage; readonly body: Uint8Array }> {
    const headers: Record<string, string | number> = {
      "content-length": call.body.length,
      authorization: databaseAuthorization(this.#engine.accessKeyId),
    };
    for (const name of forwarded) {
      const value = call.headers[name];
      if (typeof value === "string") headers[name] = value;
    }
    const outgoing = httpRequest({
      agent: this.#agent,
      host: "127.0.0.1",
      port: this.#engine.port,
      method: "POST",
      path: "/",
      headers,
    });
    outgoing.end(call.body);
    try {
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      return { response, body: await readBody(response) };
    } catch (cause) {
      throw new AwsError(500, "InternalServerError", `DynamoDB Local did not answer: ${String(cause)}`);
    }
  }
}
