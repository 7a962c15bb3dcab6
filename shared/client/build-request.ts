export interface RequestParts {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/**
 * A list in the query repeats the parameter, and an object's pairs are `name[key]=value`.
 *
 * @param template has its parameters in braces.
 * @throws {TypeError} for what would lead to another path, or with the credentials to another host.
 */
export function addressOf(
  baseUrl: string,
  template: string,
  { path = {}, query = {} }: RequestParts,
): string {
  if (!template.startsWith("/")) throw new TypeError("a path begins with /");
  const filled = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    if (path[name] === undefined) throw new TypeError(`path.${name} is missing`);
    return segmentOf(String(path[name]));
  });
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => pairsOf(name, value)),
  ).toString();
  return `${baseUrl.replace(/\/$/, "")}${filled}${search === "" ? "" : `?${search}`}`;
}

/** URLs resolve `.` and `..` in whatever encoding. */
function segmentOf(value: string): string {
  if (value === "." || value === "..") throw new TypeError(`"${value}" cannot be part of a path`);
  return encodeURIComponent(value);
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [value].flat().map((each) => [name, String(each)]);
  }
  return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)]);
}
