import type { oas32 } from "zod-openapi";
import {
  componentSchemas,
  documentedOperations,
  type OpenApiDocument,
  type OperationAt,
} from "../openapi/document-parts.ts";
import type { Schema } from "../openapi/schema-tree.ts";

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly OperationAt[];
}

interface Webhook {
  /** The event's type, such as `run.created`. */
  readonly type: string;
  readonly operation: oas32.OperationObject;
}

/** The pages are made from these parts of the document. */
export interface Reference {
  readonly document: OpenApiDocument;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly groups: readonly Group[];
  readonly webhooks: readonly Webhook[];
}

export function referenceOf(document: OpenApiDocument): Reference {
  const operations = documentedOperations(document);
  return {
    document,
    schemas: componentSchemas(document),
    groups: (document.tags ?? []).flatMap(({ name, description = "" }) => {
      const own = operations.filter(({ operation }) => operation.tags?.[0] === name);
      return own.length === 0 ? [] : [{ name, description, operations: own }];
    }),
    webhooks: Object.entries(document.webhooks ?? {}).flatMap(([type, item]) => {
      const operation = (item as oas32.PathItemObject).post;
      return operation === undefined ? [] : [{ type, operation }];
    }),
  };
}

/** A parameter, header or response stands in the document itself or in its components. */
export function resolved<T extends object>(
  { components }: OpenApiDocument,
  part: T | oas32.ReferenceObject,
): T {
  if (!("$ref" in part)) return part;
  const [, , kind = "", name = ""] = part.$ref.split("/");
  const found = (components as Readonly<Record<string, Readonly<Record<string, T>>>>)[kind]?.[name];
  if (found === undefined) throw new Error(`the document has no ${part.$ref}`);
  // Properties beside the reference describe this use of it.
  const { $ref, ...own } = part;
  return { ...found, ...own };
}

export function operationAddress(id: string | undefined): string {
  return `/docs/operations/${id}`;
}

export function webhookAddress(type: string): string {
  return `/docs/webhooks/${type}`;
}

export function schemaAddress(name: string): string {
  return `/docs/schemas/${name}`;
}

/** `Workflow tags` is `workflow-tags`, the place of the group in the list of all operations. */
export function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

export const docsPath = "/docs";
export const conventionsPath = "/docs/conventions";
export const webhooksPath = "/docs/webhooks";
export const schemasPath = "/docs/schemas";
