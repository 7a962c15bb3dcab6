import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { AwsError } from "./aws-error.ts";
import type { AccessRequest } from "./policy.ts";
import type { Principal } from "./principals.ts";

export interface ServiceCall {
  readonly method: string;
  /** The path is still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly operation: string;
  readonly principal: Principal;
  /** The body is empty where the service reads `stream` itself. */
  readonly body: Buffer;
  readonly stream: IncomingMessage;
  /** The hash is SHA-256 in hexadecimal, or one of S3's names for an unsigned payload. */
  readonly payloadHash: string;
  readonly presigned: boolean;
  authorize(requests: readonly AccessRequest[]): void;
}

/** Nothing is written yet, so that a fault can still replace the response. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
}

export interface AwsService {
  readonly name: string;
  /** The service reads the request itself. @default false */
  readonly streamsBody?: boolean;
  /** @default what X-Amz-Target names */
  operationOf?(request: OperationSource): string;
  handle(call: ServiceCall): Promise<Answer> | Answer;
  /** Answers a browser that asks, unsigned, whether a page may send a request. @throws {AwsError} */
  preflight?(request: OperationSource): Answer;
  present(error: AwsError): Answer;
}

export interface OperationSource {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}
