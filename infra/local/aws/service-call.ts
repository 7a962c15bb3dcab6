import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { AwsError } from "./aws-error.ts";
import type { AccessRequest } from "./policy.ts";
import type { Principal } from "./principals.ts";

/** One authenticated call on its way to the service that it is for. */
export interface ServiceCall {
  readonly method: string;
  /** The path as sent, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly operation: string;
  readonly principal: Principal;
  /** The whole body; empty where the service reads `stream` itself. */
  readonly body: Buffer;
  readonly stream: IncomingMessage;
  /** SHA-256 in hexadecimal, or one of S3's names for what is not signed. */
  readonly payloadHash: string;
  readonly presigned: boolean;
  /** @throws {AwsError} AccessDenied for the first request that the caller's policies do not allow. */
  authorize(requests: readonly AccessRequest[]): void;
  allows(request: AccessRequest): boolean;
}

/** The response to a call, before anything is written, so that a fault can still replace it. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
}

export interface AwsService {
  /** Name under which calls are counted and faults are aimed, e.g. `dynamodb`. */
  readonly name: string;
  /** True when the service reads the request's body by itself. */
  readonly streamsBody: boolean;
  operationOf(request: OperationSource): string;
  handle(call: ServiceCall): Promise<Answer> | Answer;
  /** The error in the service's own protocol. */
  present(error: AwsError): Answer;
}

export interface OperationSource {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}
