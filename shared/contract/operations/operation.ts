import type * as z from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a caller must show. `body`: the credentials are fields of the body. */
export type Access = "public" | "bearer" | "body";

/**
 * When the idempotency record goes on record: `transactional` in the transaction that has the effect, put there by
 * the verb's store; `leased` before the work, for an effect outside of the table, such as a desktop's.
 */
export type IdempotencyMode = "transactional" | "leased";

/** Largest body of an operation that names no other bound, in bytes. */
export const jsonBodyBytesMax = 1_048_576;

/** Four megabytes in base64 and the rest of the body, inside the 6 MB that a Lambda takes. */
export const largeBodyBytesMax = 5_900_000;

/** One response of an operation. */
export interface OperationResponse {
  readonly description: string;
  /** Absent: no body, or one that is no JSON. */
  readonly schema?: z.ZodType;
  /** Of a body that is no JSON. */
  readonly contentType?: string;
  /** Beyond those that every response of its kind has: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One operation of the API, said once: the functions serve it, API Gateway routes it, the typed client calls it, the
 * documents describe it and the tests ask for it, all as it stands here.
 */
export interface Operation {
  /** `operationId`, in camelCase: a verb and what it is about. */
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces, as API Gateway has it. */
  readonly path: string;
  /** Heading in the reference. */
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** A caller with any one of them may. The verb requires them; a test compares. */
  readonly scopes?: readonly string[];
  readonly pathParameters?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** An example of the body, as it is sent. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** By status; the first is that of success. */
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** Proxied to the desktop's driver, whose own 4xx is handed on. */
  readonly isTunnelled?: boolean;
  /** The desktop's answer may be above 60 KB. */
  readonly hasLargeResponse?: boolean;
  /**
   * Largest body in bytes.
   *
   * @default jsonBodyBytesMax
   */
  readonly bodyBytesMax?: number;
  /** Absent: an Idempotency-Key changes nothing, because the same request has the same effect anyway. */
  readonly idempotency?: IdempotencyMode;
  /** Statuses of refusals beyond those that follow from access, parameters and body, with what each means here. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** What most operations that read have in common. */
export const reading = { method: "GET", access: "bearer", scopes: ["read"] } as const;

/** What most operations that write have in common. */
export const writing = { access: "bearer", scopes: ["write"], idempotency: "transactional" } as const;

/** Keeps the literal types, which those of handlers and of the client are made of. */
export function defineOperations<const Operations extends readonly Operation[]>(
  operations: Operations,
): Operations {
  return operations;
}

/** An operation of those by its id. */
export type OperationOf<Operations extends readonly Operation[], Id> = Extract<
  Operations[number],
  { readonly id: Id }
>;
