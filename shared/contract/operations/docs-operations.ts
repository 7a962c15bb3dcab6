import { AsyncApiDocument, OpenApiDocument } from "../docs.ts";
import { compatibilityPath, defineOperations, referencePath } from "./operation.ts";

const headers = {
  ETag: { description: "Changes with the content; send it back as `If-None-Match` for a 304." },
  "Cache-Control": { description: "The time for which the response may be cached." },
} as const;
const common = { access: "public", method: "GET" } as const;
const unchanged = { description: "The document is still what `If-None-Match` names.", headers } as const;

export const docsOperations = defineOperations("Documentation", [
  {
    ...common,
    id: "getOpenApiDocument",
    path: "/openapi.json",
    summary: "Reads this document",
    description: "OpenAPI 3.1 of every operation, made from the schemas that validate. Public.",
    responses: {
      200: { description: "The document.", schema: OpenApiDocument, headers },
      304: unchanged,
    },
  },
  {
    ...common,
    id: "getAsyncApiDocument",
    path: "/asyncapi.json",
    summary: "Reads the tunnel's document",
    description: "AsyncAPI 3 of the messages between a driver and the service. Public.",
    responses: {
      200: { description: "The document.", schema: AsyncApiDocument, headers },
      304: unchanged,
    },
  },
  {
    ...common,
    id: "getReferencePage",
    path: referencePath,
    summary: "Shows the reference as a page",
    description: "Loads nothing from any other host. Public.",
    responses: {
      200: { description: "The page.", contentType: "text/html", headers },
      304: unchanged,
    },
  },
  {
    ...common,
    id: "getCompatibilityPage",
    path: compatibilityPath,
    summary: "Shows what may change, and when, as a page",
    description:
      "Says what may be added without notice, how long what goes away stays, and what goes away now. Public.",
    responses: {
      200: { description: "The page.", contentType: "text/html", headers },
      304: unchanged,
    },
  },
  {
    ...common,
    id: "getChangelogPage",
    path: "/changelog",
    summary: "Shows the changelog as a page",
    description: "The changes of the API by date, the newest first. Public.",
    responses: {
      200: { description: "The page.", contentType: "text/html", headers },
      304: unchanged,
    },
  },
  {
    ...common,
    id: "getOverviewForModels",
    path: "/llms.txt",
    summary: "Reads the overview for language models",
    description: "Markdown after llmstxt.org: the documents, credentials and operations. Public.",
    responses: {
      200: { description: "The overview.", contentType: "text/plain", headers },
      304: unchanged,
    },
  },
  {
    ...common,
    id: "getReferenceScript",
    path: "/docs/assets/page.js",
    summary: "Reads the page's script",
    responses: { 200: { description: "The file.", contentType: "text/javascript", headers }, 304: unchanged },
  },
  {
    ...common,
    id: "getReferenceStyles",
    path: "/docs/assets/page.css",
    summary: "Reads the page's style sheet",
    responses: { 200: { description: "The file.", contentType: "text/css", headers }, 304: unchanged },
  },
  {
    ...common,
    id: "getSwaggerUiScript",
    path: "/docs/assets/swagger-ui-bundle.js",
    summary: "Reads Swagger UI's script",
    responses: { 200: { description: "The file.", contentType: "text/javascript", headers }, 304: unchanged },
  },
  {
    ...common,
    id: "getSwaggerUiStyles",
    path: "/docs/assets/swagger-ui.css",
    summary: "Reads Swagger UI's style sheet",
    responses: { 200: { description: "The file.", contentType: "text/css", headers }, 304: unchanged },
  },
]);
