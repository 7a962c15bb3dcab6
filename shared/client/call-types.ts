import type * as z from "zod";
import type { allOperations } from "../contract/operations/all-operations.ts";

type AnyOperation = (typeof allOperations)[number];

/** The `operationId` in the OpenAPI document. */
export type OperationId = AnyOperation["id"];

type OperationById = { readonly [O in AnyOperation as O["id"]]: O };

type PathInput<O> = O extends { readonly pathParameters: infer P extends z.ZodType }
  ? { readonly path: z.input<P> }
  : { readonly path?: never };

/** Callers give numbers and lists, which are sent as text; a parameter with a default is optional. */
type QueryValues<Q extends z.ZodType> = {
  readonly [K in keyof z.input<Q>]: K extends keyof z.output<Q> ? OneOrMore<z.output<Q>[K]> : never;
};

type OneOrMore<Value> = Value extends readonly (infer Each)[] ? Each | readonly Each[] : Value;

type QueryInput<O> = O extends { readonly query: infer Q extends z.ZodType }
  ? { readonly query?: QueryValues<Q> }
  : { readonly query?: never };

type BodyInput<O> = O extends { readonly body: infer B extends z.ZodType }
  ? undefined extends z.input<B>
    ? { readonly body?: z.input<B> }
    : { readonly body: z.input<B> }
  : O extends { readonly form: z.ZodType }
    ? { readonly body: FormData }
    : { readonly body?: never };

/**
 * By default a key is generated; with `false` none is sent, and nothing is retried. `ifMatch` is the `ETag` that the
 * resource must still have; else nothing is done, and the error is `changed_meanwhile`.
 */
type WriteInput<O> = O extends { readonly method: "GET" }
  ? { readonly idempotencyKey?: never; readonly ifMatch?: never }
  : O extends { readonly takesIfMatch: true }
    ? { readonly idempotencyKey?: string | false; readonly ifMatch?: string }
    : { readonly idempotencyKey?: string | false; readonly ifMatch?: never };

/**
 * Each operation has an entry: a union over all operations at once would have thousands of members. The names are made
 * by `as`, since TypeScript would otherwise multiply the unions of all paths, queries and bodies for a call in general.
 */
type InputById = {
  readonly [O in AnyOperation as O["id"]]: PathInput<O> &
    QueryInput<O> &
    BodyInput<O> &
    WriteInput<O> & { readonly signal?: AbortSignal };
};

/** The input is optional where nothing in it is required. */
type ArgumentsById = {
  readonly [Id in OperationId]: Record<never, never> extends InputById[Id]
    ? [input?: InputById[Id]]
    : [input: InputById[Id]];
};
export type CallArguments<Id extends OperationId> = ArgumentsById[Id];

type ResponseBody<R> = R extends { readonly schema: infer S extends z.ZodType }
  ? z.output<S>
  : R extends { readonly contentType: string }
    ? Uint8Array
    : undefined;

type Successes<Responses> = Responses[keyof Responses & (200 | 201 | 204)];

type AnswerById = {
  readonly [Id in OperationId]: ResponseBody<Successes<OperationById[Id]["responses"]>>;
};

export type CallResponse<Id extends OperationId> = AnswerById[Id];

/** Those whose response has an `ETag`. */
export type TaggedOperationId = Extract<AnyOperation, { readonly isTagged: true }>["id"];

/** Those that answer 304 when nothing differs from what the caller has. */
export type ConditionalOperationId = Extract<
  AnyOperation,
  { readonly responses: { readonly 304: unknown } }
>["id"];

/** `ifNoneMatch` is the `ETag` of what the caller has. */
export type ConditionalArguments<Id extends ConditionalOperationId> = [
  input: InputById[Id] & { readonly ifNoneMatch?: string | undefined },
];

/** Those whose response is a page of a list. */
export type PagedOperationId = {
  readonly [Id in OperationId]: OperationById[Id] extends { readonly query: infer Q extends z.ZodType }
    ? z.output<Q> extends { readonly limit: number; readonly skip: number }
      ? Id
      : never
    : never;
}[OperationId];

export type PageItem<Id extends PagedOperationId> =
  CallResponse<Id> extends readonly (infer Item)[]
    ? Item
    : CallResponse<Id> extends { readonly items: readonly (infer Item)[] }
      ? Item
      : never;
