import type * as z from "zod";
import type { HttpMethod } from "../../vocabulary/methods.ts";
import type { AuditedResource } from "../audit-event.ts";
import { type ParametersOf, parametersOf } from "../fields/path-parameters.ts";

/** With `body` the credentials are fields of the body. */
export type Access = "public" | "bearer" | "body";

/**
 * `transactional`: the verb's store writes the record in the transaction that has the effect. `leased`: it is written
 * before the work, for an effect outside of the table, such as a desktop's.
 */
export type IdempotencyMode = "transactional" | "leased";

export const jsonBodyBytesMax = 1_048_576;

/** Four megabytes in base64 and the rest of the body fit inside the 6 MB that a Lambda takes. */
export const largeBodyBytesMax = 5_900_000;

export interface OperationResponse {
  readonly description: string;
  /** A response without a schema has no body, or one that is not JSON. */
  readonly schema?: z.ZodType;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
}

type IsoDate = `${number}-${number}-${number}`;

export const referencePath = "/docs";

/** The page for users that says what may change, and lists what goes away. */
export const compatibilityPath = "/compatibility";

export interface OperationEnd {
  readonly deprecatedOn: IsoDate;
  /** The first day on which the operation may be gone; the document's build refuses one too soon. */
  readonly goneOn: IsoDate;
  /** A sentence that says what to use. */
  readonly instead: string;
}

/** The functions, API Gateway's routes, the typed client, the documents and the tests are made from this definition. */
export interface Operation {
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** An operation that goes away says so in each response. @default it stays */
  readonly end?: OperationEnd;
  /** Missing credentials are asked for by 401, as other protocols do; elsewhere they are 403. */
  readonly isChallenged?: boolean;
  /** Any one of the scopes is enough. */
  readonly scopes?: readonly string[];
  /** @default the ids that the path names */
  readonly pathParameters?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The fields of a `multipart/form-data`, for the documents; the handler reads the form. */
  readonly form?: z.ZodType;
  readonly example?: Readonly<Record<string, unknown>>;
  /** The first status is that of success. */
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** A request with an `Assignment-Id` becomes a run's step of this type. */
  readonly step?: string;
  /** The changed resource is the one that the path names, or with success 201 the new one. */
  readonly writes?: AuditedResource;
  /** The changed resource is a new one though the success is 200. */
  readonly makes?: true;
  /** The handler begins beside the count of the rate limit, and only reads until that has admitted the request. */
  readonly isReadAhead?: boolean;
  /** A success has the `ETag` of the resource in its body, which the handler names with `tagged`. */
  readonly isTagged?: boolean;
  /** The write takes `If-Match` with tags of the resource that the path names first. */
  readonly takesIfMatch?: boolean;
  /** The driver's own 4xx is passed on. */
  readonly isTunnelled?: boolean;
  /** The desktop's response may be above 60 KB. */
  readonly hasLargeResponse?: boolean;
  /** @default jsonBodyBytesMax */
  readonly bodyBytesMax?: number;
  /** Without a mode an Idempotency-Key has no effect: the operation is idempotent anyway. */
  readonly idempotency?: IdempotencyMode;
  /** These are in addition to those that follow from access, parameters and body. */
  readonly refusals?: Readonly<Record<number, string>>;
}

export const reading = { method: "GET", access: "bearer", scopes: ["read"], isReadAhead: true } as const;

export function writing<const Method extends HttpMethod>(method: Method) {
  return { method, access: "bearer", scopes: ["write"], idempotency: "transactional" } as const;
}

/** A write of a resource that several people edit: with `If-Match`, none overwrites what another has just written. */
export function editing<const Method extends HttpMethod>(method: Method) {
  return { ...writing(method), takesIfMatch: true } as const;
}

export const deleted = { 204: { description: "The resource is deleted." } } as const;

type Untagged = Omit<Operation, "tag"> & Partial<Pick<Operation, "tag">>;

type Defined<O extends Untagged> = O & { readonly tag: string } & (O extends {
    readonly pathParameters: z.ZodObject;
  }
    ? unknown
    : ParametersOf<O["path"]>);

/**
 * The literal types are kept: those of handlers and of the client are derived from them.
 *
 * @param tag is that of the operations that name none.
 */
export function defineOperations<const Operations extends readonly Untagged[]>(
  tag: string,
  operations: Operations,
): { readonly [Place in keyof Operations]: Defined<Operations[Place]> } {
  const defined = operations.map((operation) => ({
    tag,
    // A request needs few of a function's schemas, so that none is made while it loads.
    get pathParameters() {
      return parametersOf(operation.path);
    },
    ...operation,
  }));
  return defined as unknown as { readonly [Place in keyof Operations]: Defined<Operations[Place]> };
}

export type OperationOf<Operations extends readonly Operation[], Id> = Extract<
  Operations[number],
  { readonly id: Id }
>;
