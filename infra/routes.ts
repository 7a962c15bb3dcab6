/** One operation of a route group, as API Gateway names it. */
export interface Route {
  /** In capitals: `GET`, `POST` … */
  readonly method: string;
  /** With parameters in braces: `/v1/machines/{machine_id}`. */
  readonly path: string;
}

/** What is read of an app: Hono's own list of what was registered. */
interface RoutedApp {
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

/** Hono's name for middleware and for `app.all`. */
const everyMethod = "ALL";

const operationMethods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * The operations of a route group, in the order of registration and each once.
 *
 * The factory is called with stand-ins for its dependencies: it may hand them on, but a call of one while the
 * app is being made is an error, because it would run at synthesis.
 *
 * @throws {Error} for a factory that calls a dependency, for a path that API Gateway cannot express (a wildcard
 * or an optional parameter) and for an unknown method.
 */
export function routesOf(createApp: (deps: never) => RoutedApp): readonly Route[] {
  const app = createApp(inertDependency("deps"));
  const routes = new Map<string, Route>();
  for (const { method, path } of app.routes) {
    if (method === everyMethod) continue;
    if (!operationMethods.has(method)) {
      throw new Error(`the route ${method} ${path} has a method that no operation uses`);
    }
    const route = { method, path: apiGatewayPath(path) };
    routes.set(`${route.method} ${route.path}`, route);
  }
  return [...routes.values()];
}

/** `/v1/machines/:machine_id` to `/v1/machines/{machine_id}`; a parameter's pattern (`:id{[0-9]+}`) is left out. */
function apiGatewayPath(path: string): string {
  const segments = path.split("/").map((segment) => {
    const parameter = /^:([A-Za-z_][A-Za-z0-9_]*)(?:\{[^}]*\})?$/.exec(segment)?.[1];
    if (parameter !== undefined) return `{${parameter}}`;
    if (/[:*?{}]/.test(segment)) {
      throw new Error(
        `the route ${path} cannot be a route of API Gateway: \`${segment}\` is neither text nor a whole parameter`,
      );
    }
    return segment;
  });
  return segments.join("/");
}

/** Stands for any value that is only handed on: members can be read, nothing can be called. */
function inertDependency(name: string): never {
  const refuse = (): never => {
    throw new Error(`an app factory called \`${name}\` while making the app; it may only hand it on`);
  };
  const inert = new Proxy(() => undefined, {
    get: (_target, property) =>
      typeof property === "symbol" || property === "then"
        ? undefined
        : inertDependency(`${name}.${property}`),
    apply: refuse,
    construct: refuse,
  });
  return inert as never;
}
