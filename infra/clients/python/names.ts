/** `listMachines` is `list_machines`, `getOpenApiDocument` is `get_open_api_document`. */
export function methodNameOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const reserved: ReadonlySet<string> = new Set([
  "as",
  "class",
  "from",
  "in",
  "is",
  "not",
  "or",
  "and",
  "import",
]);

/** The name of a parameter's argument: Python's own words get an underscore at their end, which the client takes off. */
export function argumentNameOf(parameter: string): string {
  return reserved.has(parameter) ? `${parameter}_` : parameter;
}
