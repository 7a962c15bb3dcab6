import { isRecord } from "./http-response.ts";

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-develop-routes.html */
export function selectRoute(
  expression: string,
  body: string,
  routes: Readonly<Record<string, string | undefined>>,
): string {
  const path = /^\$\{?request\.body\.([\w.-]+)\}?$/.exec(expression)?.[1];
  if (path === undefined) return "$default";
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return "$default";
  }
  for (const field of path.split(".")) {
    value = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  }
  if (typeof value !== "string" || !Object.hasOwn(routes, value)) return "$default";
  return value === "$connect" || value === "$disconnect" ? "$default" : value;
}
