import { randomUUID } from "node:crypto";
import { type RouteGroup, routeGroups } from "../../shared/contract/operations/all-operations.ts";

/** A version by its function's name and its number: `name:7`. */
export type Versions = Readonly<Partial<Record<RouteGroup, string>>>;

export interface Invoked {
  /** Lambda's, when the function threw, timed out or could not be loaded. */
  readonly functionError: string | undefined;
  readonly payload: string;
}

export interface CheckInput {
  readonly versions: Versions;
  readonly key: string;
  /** Invokes that very version, whatever the alias points to. */
  readonly invoke: (version: string, event: object) => Promise<Invoked>;
}

export interface CheckedVersion {
  readonly group: string;
  readonly version: string;
  readonly request: string;
  /** The status of the version's response, or why there is none. */
  readonly outcome: number | string;
}

/**
 * Sends each version one request as API Gateway would: a list that the key may read where the group has one, else a
 * request without credentials, which is refused before it could change anything. So the version's code loads, its
 * variables and its clients are right, and for a list its role reads the table. A tunnel, a run and all that comes
 * through the gateway, which knows the alias alone, are not tried.
 *
 * @returns the versions that did not respond, or with 500 or more.
 */
export async function failedVersions(input: CheckInput): Promise<readonly CheckedVersion[]> {
  const checked = await Promise.all(
    Object.entries(input.versions).map(([group, version]) => check(input, group as RouteGroup, version)),
  );
  return checked.filter(({ outcome }) => typeof outcome === "string" || outcome >= 500);
}

async function check(input: CheckInput, group: RouteGroup, version: string): Promise<CheckedVersion> {
  const { method, path, isList } = requestOf(group);
  const event = eventOf(method, path, isList ? { authorization: `Bearer ${input.key}` } : {});
  return { group, version, request: `${method} ${path}`, outcome: await outcomeOf(input, version, event) };
}

async function outcomeOf({ invoke }: CheckInput, version: string, event: object): Promise<number | string> {
  try {
    const { functionError, payload } = await invoke(version, event);
    if (functionError !== undefined) return `its function failed: ${functionError}`;
    const status: unknown = JSON.parse(payload)?.statusCode;
    return typeof status === "number" ? status : "its response has no status";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function requestOf(group: RouteGroup) {
  const operations = routeGroups[group];
  const list = operations.find(({ method, path }) => method === "GET" && !path.includes("{"));
  const { method, path } = list ?? operations[0];
  return {
    method,
    path: path.replace(/\{[^}]+\}/g, "00000000-0000-0000-0000-000000000000"),
    isList: list !== undefined,
  };
}

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
function eventOf(method: string, path: string, credentials: Readonly<Record<string, string>>): object {
  const routeKey = `${method} ${path}`;
  return {
    version: "2.0",
    routeKey,
    rawPath: path,
    rawQueryString: "",
    headers: { ...credentials, host: "pre-traffic" },
    requestContext: {
      accountId: "pre-traffic",
      apiId: "pre-traffic",
      domainName: "pre-traffic",
      domainPrefix: "pre-traffic",
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "pre-traffic" },
      requestId: randomUUID(),
      routeKey,
      stage: "$default",
      time: new Date().toUTCString(),
      timeEpoch: Date.now(),
    },
    isBase64Encoded: false,
  };
}
