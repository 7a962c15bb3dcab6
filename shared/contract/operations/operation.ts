import type * as z from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a caller must show. `body`: the credentials are fields of the body. */
export type Access = "public" | "bearer" | "body";

/** One answer of an operation. */
export interface Answer {
  readonly description: string;
  /** Absent: no body, or one that is no JSON. */
  readonly schema?: z.ZodType;
  /** Of a body that is no JSON. */
  readonly contentType?: string;
  /** Beyond those that every answer of its kind has: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One operation of the API: what the OpenAPI document says of it, and what the typed client sends and takes. The
 * schemas are those that the functions validate with.
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
  /** A caller with any one of them may. */
  readonly scopes?: readonly string[];
  readonly pathParameters?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** An example of the body, as it is sent. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Proxied to the desktop's driver, whose own 4xx is handed on. */
  readonly isTunnelled?: boolean;
  /**
   * Largest body in bytes.
   *
   * @default 1,048,576
   */
  readonly bodyBytesMax?: number;
  /** Statuses of refusals beyond those that follow from access, parameters and body, with what each means here. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** Keeps the literal types, which the client's types are made of. */
export function defineOperations<const Operations extends readonly Operation[]>(
  operations: Operations,
): Operations {
  return operations;
}
