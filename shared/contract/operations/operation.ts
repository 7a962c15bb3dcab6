import type * as z from "zod";
import type { HttpMethod } from "../../vocabulary/methods.ts";
import type { AuditedResource } from "../audit-event.ts";

/** The credentials of a caller. `body`: they are fields of the body. */
export type Access = "public" | "bearer" | "body";

/**
 * When the idempotency record is written: `transactional` in the transaction that has the effect, by the verb's store;
 * `leased` before the work, for an effect outside of the table, such as a desktop's.
 */
export type IdempotencyMode = "transactional" | "leased";

/** Largest body of an operation without a bound of its own, in bytes. */
export const jsonBodyBytesMax = 1_048_576;

/** Four megabytes in base64 and the rest of the body, inside the 6 MB that a Lambda takes. */
export const largeBodyBytesMax = 5_900_000;

export interface OperationResponse {
  readonly description: string;
  /** Absent: no body, or one that is not JSON. */
  readonly schema?: z.ZodType;
  /** The content type of a body that is not JSON. */
  readonly contentType?: string;
  /** Beyond those that every response of its kind has: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One operation of the API, defined once: the functions serve it, API Gateway routes it, the typed client calls it, the
 * documents describe it and the tests request it from this definition.
 */
export interface Operation {
  /** `operationId`, in camelCase: a verb and its object. */
  readonly id: string;
  readonly method: HttpMethod;
  /** With parameters in braces, as in API Gateway. */
  readonly path: string;
  /** Heading in the reference. */
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Any one of them is enough. The verb requires them; a test compares. */
  readonly scopes?: readonly string[];
  readonly pathParameters?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** An example of the body, as it is sent. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** By status; the first is that of success. */
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** Its type in a run's steps: what it does becomes one where the request names an assignment (`Assignment-Id`). */
  readonly step?: string;
  /**
   * The kind of resource that it changes: the audit event's resource. It is the one that the path names, unless success
   * is 201, which makes a new one. Absent for an operation that changes none.
   */
  readonly writes?: AuditedResource;
  /** Proxied to the desktop's driver, whose own 4xx is passed on. */
  readonly isTunnelled?: boolean;
  /** The desktop's answer may be above 60 KB. */
  readonly hasLargeResponse?: boolean;
  /**
   * Largest body in bytes.
   *
   * @default jsonBodyBytesMax
   */
  readonly bodyBytesMax?: number;
  /** Absent: an Idempotency-Key has no effect, because the operation is idempotent anyway. */
  readonly idempotency?: IdempotencyMode;
  /** Statuses of refusals beyond those that follow from access, parameters and body, with what each means here. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** Common to most operations that read. */
export const reading = { method: "GET", access: "bearer", scopes: ["read"] } as const;

/** Common to most operations that write. */
export const writing = { access: "bearer", scopes: ["write"], idempotency: "transactional" } as const;

/** Keeps the literal types, from which those of handlers and of the client are derived. */
export function defineOperations<const Operations extends readonly Operation[]>(
  operations: Operations,
): Operations {
  return operations;
}

export type OperationOf<Operations extends readonly Operation[], Id> = Extract<
  Operations[number],
  { readonly id: Id }
>;
