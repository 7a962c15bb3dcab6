import * as z from "zod";
import { AsyncApiDocument, OpenApiDocument } from "../docs.ts";
import { compatibilityPath, defineOperations, referencePath } from "./operation.ts";
import { assetResponses, shipped, shippedAsset, shippedHeaders } from "./shipped-operations.ts";

const unchanged = {
  description: "The document is still what `If-None-Match` names.",
  headers: shippedHeaders,
} as const;

const section = z.string().describe("The section of the reference, such as `operations`.");
const item = z
  .string()
  .describe("The operation by its id, the webhook by its event's type, or the schema by its name.");

export const docsOperations = defineOperations("Documentation", [
  {
    ...shipped,
    id: "getOpenApiDocument",
    path: "/openapi.json",
    summary: "Reads this document",
    description: "OpenAPI 3.1 of every operation, made from the schemas that validate. Public.",
    responses: {
      200: { description: "The document.", schema: OpenApiDocument, headers: shippedHeaders },
      304: unchanged,
    },
  },
  {
    ...shipped,
    id: "getAsyncApiDocument",
    path: "/asyncapi.json",
    summary: "Reads the tunnel's document",
    description: "AsyncAPI 3 of the messages between a driver and the service. Public.",
    responses: {
      200: { description: "The document.", schema: AsyncApiDocument, headers: shippedHeaders },
      304: unchanged,
    },
  },
  {
    ...shipped,
    id: "getReferencePage",
    path: referencePath,
    summary: "Shows the reference as a page",
    description: "Loads nothing from any other host. Public.",
    responses: {
      200: { description: "The page.", contentType: "text/html", headers: shippedHeaders },
      304: unchanged,
    },
  },
  {
    ...shipped,
    id: "getCompatibilityPage",
    path: compatibilityPath,
    summary: "Shows what may change, and when, as a page",
    description:
      "Says what may be added without notice, how long what goes away stays, and what goes away now. Public.",
    responses: {
      200: { description: "The page.", contentType: "text/html", headers: shippedHeaders },
      304: unchanged,
    },
  },
  {
    ...shipped,
    id: "getChangelogPage",
    path: "/changelog",
    summary: "Shows the changelog as a page",
    description: "The changes of the API by date, the newest first. Public.",
    responses: {
      200: { description: "The page.", contentType: "text/html", headers: shippedHeaders },
      304: unchanged,
    },
  },
  {
    ...shipped,
    id: "getOverviewForModels",
    path: "/llms.txt",
    summary: "Reads the overview for language models",
    description: "Markdown after llmstxt.org: the documents, credentials and operations. Public.",
    responses: {
      200: { description: "The overview.", contentType: "text/plain", headers: shippedHeaders },
      304: unchanged,
    },
  },
  {
    ...shipped,
    id: "getReferenceSection",
    path: "/docs/{section}",
    summary: "Shows a section of the reference as a page",
    description: "`conventions`, `webhooks` or `schemas`. Public.",
    pathParameters: z.strictObject({ section }),
    responses: {
      200: { description: "The page.", contentType: "text/html", headers: shippedHeaders },
      304: unchanged,
    },
    refusals: { 404: "The reference has no such section." },
  },
  {
    ...shipped,
    id: "getReferenceItem",
    path: "/docs/{section}/{item}",
    summary: "Shows an operation, webhook or schema as a page",
    description: "It can be read without a script. Public.",
    pathParameters: z.strictObject({ section, item }),
    responses: {
      200: { description: "The page.", contentType: "text/html", headers: shippedHeaders },
      304: unchanged,
    },
    refusals: { 404: "The section has no such page in this release." },
  },
  {
    ...shippedAsset,
    id: "getReferenceAsset",
    path: "/docs/assets/{file}",
    summary: "Reads a file of the reference",
    responses: assetResponses(unchanged),
  },
]);
