import type { createDocument, oas32 } from "zod-openapi";
import type { Schema } from "./schema-tree.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;

export type OpenApiDocument = ReturnType<typeof createDocument>;

export interface OperationAt {
  readonly path: string;
  readonly method: (typeof methods)[number];
  readonly operation: oas32.OperationObject;
}

export function documentedOperations({ paths }: OpenApiDocument): readonly OperationAt[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method): OperationAt[] => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

export function componentSchemas({ components }: OpenApiDocument): Readonly<Record<string, Schema>> {
  return (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
}
