import { documentedOperations, type OpenApiDocument, type OperationAt } from "../openapi/document-parts.ts";
import { operationAddress } from "./reference.ts";

/** The operations of most programs; those of the other tags may be left out where room is short. */
const mainTags: ReadonlySet<string | undefined> = new Set([
  "Machines",
  "Workflows",
  "Runs",
  "Run attachments",
  "Trajectories",
  "Computer",
]);

const documentsTag = "Documentation";

/** Source: https://llmstxt.org */
export function overviewForModels(document: OpenApiDocument): string {
  const { info, tags = [] } = document;
  const [summary = "", ...sections] = (info.description ?? "").split(/\n+## /);
  const [, ...common] = sections[0]?.split("\n\n") ?? [];
  const operations = documentedOperations(document);
  const ofTag = (name: string) => operations.filter(({ operation }) => operation.tags?.[0] === name);
  const documents = ofTag(documentsTag).filter(({ path }) => !path.startsWith("/docs/"));
  const others = tags.filter(({ name }) => !mainTags.has(name) && name !== documentsTag);
  return [
    `# ${info.title}`,
    `> ${summary.replaceAll("\n", " ")}`,
    ...common,
    "## Documents",
    documents
      .map(({ path, operation: { summary, description } }) => line(path, path, `${summary}. ${description}`))
      .join("\n"),
    ...tags.flatMap(({ name }) => (mainTags.has(name) ? [`## ${name}`, linesOf(ofTag(name))] : [])),
    "## Optional",
    linesOf(others.flatMap(({ name }) => ofTag(name))),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

function linesOf(operations: readonly OperationAt[]): string {
  return operations
    .map(({ method, path, operation: { operationId, summary, deprecated } }) => {
      const note = deprecated === true ? `${summary} (deprecated)` : summary;
      return line(`${method.toUpperCase()} ${path}`, operationAddress(operationId), note);
    })
    .join("\n");
}

function line(name: string, address: string, note: string | undefined): string {
  return `- [${name}](${address}): ${note}`;
}
