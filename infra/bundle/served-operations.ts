/** Of an operation what only the documents, the client and tests ask for; by the layout that the formatter enforces. */
const documentation = /^ {4}(?:tag|summary|description|example|refusals)\b.*\n(?: {5,}.*\n| {4}[\]}].*\n)*/gm;
const ofResponses = /\bdescription:\s+"(?:[^"\\]|\\.)*",?/g;
const schemasOfResponses = /\bschema: (?:z\.array\(\w+\)|[\w.]+),?/g;

/**
 * Saves 3 to 12 KB of each function: texts of operations that it serves, and schemas of what it returns. Those of a
 * desktop's answers stay, since they are judged by them.
 *
 * @param source of a module of the contract, or of any other, which stays as it is.
 */
export function servedOperations(path: string, source: string): string {
  const [, group] = /[\\/]contract[\\/]operations[\\/](.+)-operations\.ts$/.exec(path) ?? [];
  if (group === undefined) return source;
  const served = source.replace(documentation, "").replace(ofResponses, "");
  return group === "computer" ? served : served.replace(schemasOfResponses, "");
}
