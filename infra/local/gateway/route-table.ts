export interface RouteTarget {
  readonly routeKey: string;
  readonly functionName: string;
  readonly integrationTimeoutMs?: number | undefined;
}

export interface RouteMatch {
  readonly route: RouteTarget;
  readonly pathParameters: Readonly<Record<string, string>>;
}

type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "variable" | "greedy"; readonly name: string };

interface ParsedRoute {
  readonly target: RouteTarget;
  readonly method: string;
  readonly segments: readonly Segment[];
}

/**
 * A full match comes before a greedy one, a literal segment before a variable, the method itself before ANY,
 * `$default` last.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export class RouteTable {
  readonly #routes: readonly ParsedRoute[];
  readonly #default: RouteTarget | undefined;

  constructor(routes: readonly RouteTarget[]) {
    this.#default = routes.find((route) => route.routeKey === "$default");
    this.#routes = routes
      .filter((route) => route.routeKey !== "$default")
      .map(parseRoute)
      .sort(bySpecificity);
  }

  /** @throws {URIError} when the path is not valid percent-encoded UTF-8. */
  match(method: string, rawPath: string): RouteMatch | undefined {
    const segments = segmentsOf(rawPath).map(decodeURIComponent);
    for (const route of this.#routes) {
      if (route.method !== "ANY" && route.method !== method) continue;
      const pathParameters = matchSegments(route.segments, segments);
      if (pathParameters !== undefined) return { route: route.target, pathParameters };
    }
    return this.#default === undefined ? undefined : { route: this.#default, pathParameters: {} };
  }
}

function segmentsOf(path: string): string[] {
  return (path.startsWith("/") ? path.slice(1) : path).split("/");
}

function parseRoute(target: RouteTarget): ParsedRoute {
  const [method, path, ...rest] = target.routeKey.split(" ");
  if (method === undefined || path === undefined || rest.length > 0) {
    throw new Error(`route key "${target.routeKey}" is neither "METHOD /path" nor "$default"`);
  }
  return { target, method, segments: segmentsOf(path).map(parseSegment) };
}

function parseSegment(text: string): Segment {
  if (!text.startsWith("{") || !text.endsWith("}")) return { kind: "literal", text };
  const name = text.slice(1, -1);
  return name.endsWith("+") ? { kind: "greedy", name: name.slice(0, -1) } : { kind: "variable", name };
}

const rank = { literal: 0, variable: 1, greedy: 2 } as const;

function bySpecificity(left: ParsedRoute, right: ParsedRoute): number {
  const greedy = Number(isGreedy(left)) - Number(isGreedy(right));
  if (greedy !== 0) return greedy;
  const shared = Math.min(left.segments.length, right.segments.length);
  for (let index = 0; index < shared; index++) {
    const difference =
      rank[left.segments[index]?.kind ?? "literal"] - rank[right.segments[index]?.kind ?? "literal"];
    if (difference !== 0) return difference;
  }
  if (left.segments.length !== right.segments.length) return right.segments.length - left.segments.length;
  return Number(left.method === "ANY") - Number(right.method === "ANY");
}

function isGreedy(route: ParsedRoute): boolean {
  return route.segments.at(-1)?.kind === "greedy";
}

function matchSegments(
  pattern: readonly Segment[],
  path: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const given = path[index];
    if (given === undefined) return undefined;
    if (segment.kind === "greedy") {
      const rest = path.slice(index).join("/");
      if (rest === "") return undefined;
      return { ...parameters, [segment.name]: rest };
    }
    if (segment.kind === "literal") {
      if (given !== segment.text) return undefined;
      continue;
    }
    if (given === "") return undefined;
    parameters[segment.name] = given;
  }
  return path.length === pattern.length ? parameters : undefined;
}
