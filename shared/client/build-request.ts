export interface RequestParts {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** A list in the query repeats the parameter, and an object's pairs are `name[key]=value`. @param template has its parameters in braces. */
export function addressOf(
  baseUrl: string,
  template: string,
  { path = {}, query = {} }: RequestParts,
): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => pairsOf(name, value)),
  ).toString();
  return `${baseUrl.replace(/\/$/, "")}${filled}${search === "" ? "" : `?${search}`}`;
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [value].flat().map((each) => [name, String(each)]);
  }
  return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)]);
}
