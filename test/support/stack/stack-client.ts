import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
import { type ApiClient, createApiClient } from "../../../shared/client/api-client.ts";
import { createConformance } from "../openapi/conformance.ts";
import { type DriverOptions, type SpawnedDriver, spawnDriver } from "./spawn-driver.ts";

export interface Organization {
  readonly organization_id: string;
  readonly user_id: string;
  /** API keys by name: `full`, `read`, `write`, `driver`, `worker`, `operator`. */
  readonly api_keys: Readonly<Record<string, string>>;
  readonly jwt: string;
}

export interface ApiRequest {
  readonly method?: string;
  /** API key or token; absent: no credentials. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body, sent as it is instead of `body`. */
  readonly text?: string;
}

export interface ApiAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly bytes: Uint8Array;
}

let conformance: ReturnType<typeof createConformance> | undefined;

/**
 * Calls the public API; a JSON response is parsed, an empty one is undefined.
 *
 * @throws {Error} for a response that the OpenAPI document does not describe, field by field.
 */
export async function ask<Body = Record<string, unknown>>(
  path: string,
  asked: ApiRequest = {},
): Promise<ApiAnswer<Body>> {
  const sent = asked.text ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body));
  const method = asked.method ?? (sent === undefined ? "GET" : "POST");
  const response = await fetch(`${inject("stack").baseUrl}${path}`, {
    method,
    headers: {
      ...(asked.key === undefined ? {} : { authorization: `Bearer ${asked.key}` }),
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...asked.headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
    redirect: "manual",
  });
  return await readAnswer<Body>(method, path, response);
}

/** As `ask`; a 503, which DynamoDB Local brings about on a busy machine, is asked again as a client would. */
export async function askAgain<Body = Record<string, unknown>>(
  path: string,
  asked: ApiRequest = {},
): Promise<ApiAnswer<Body>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask<Body>(path, asked);
    if (answer.status !== 503 || attempt === attemptsMax) return answer;
    await setTimeout(attempt * 500);
  }
}

const attemptsMax = 5;

/**
 * The typed client with that key: it retries idempotent calls, and each response is checked as those of `ask`.
 *
 * @throws {ApiError} for a response that is no success.
 */
export function clientOf(credentials: string): ApiClient {
  const { baseUrl } = inject("stack");
  const judged: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    const { pathname, search } = new URL(request.url);
    await readAnswer(request.method, `${pathname}${search}`, response.clone());
    return response;
  };
  return createApiClient({ baseUrl, credentials, fetch: judged });
}

async function readAnswer<Body>(method: string, path: string, response: Response): Promise<ApiAnswer<Body>> {
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const body = (text === "" ? undefined : isJson ? JSON.parse(text) : text) as Body;
  conformance ??= createConformance();
  const { status, headers } = response;
  const problems = (await conformance)({ method, path, status, headers, body });
  if (problems.length > 0) {
    throw new Error(`${method} ${path} answered ${status} beside its description: ${problems.join("; ")}`);
  }
  return { status, headers, body, bytes };
}

export async function control<Body = Record<string, unknown>>(
  path: string,
  body?: unknown,
  method = body === undefined ? "GET" : "POST",
): Promise<Body> {
  const { controlUrl, controlToken } = inject("stack");
  const response = await fetch(`${controlUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`control ${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

/** Runs the function as its timer does; what fails on a busy machine is repeated. */
async function runTimer(functionName: string): Promise<void> {
  const fire = async () => await control<{ ok: boolean }>(`/schedules/${functionName}/fire`, {});
  for (let attempt = 1; !(await fire()).ok; attempt += 1) {
    if (attempt === attemptsMax) throw new Error(`the ${functionName} failed ${attemptsMax} times in a row`);
  }
}

export async function sweep(): Promise<void> {
  await runTimer("sweeper");
}

export async function fireSchedules(): Promise<void> {
  await runTimer("scheduler");
}

/** A fresh organization with one key for each combination of scopes that tests need. */
export function createOrganization(): Promise<Organization> {
  return control<Organization>("/organizations", {});
}

export function keyOf(organization: Organization, name: string): string {
  const key = organization.api_keys[name];
  if (key === undefined) throw new Error(`the organization has no key ${name}`);
  return key;
}

/** Starts a driver of the organization. */
export async function driverOf(
  organization: Organization,
  options: Partial<DriverOptions> = {},
): Promise<SpawnedDriver> {
  const { websocketUrl } = inject("stack");
  return await spawnDriver({ websocketUrl, key: keyOf(organization, "driver"), ...options });
}
