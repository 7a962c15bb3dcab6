import type { Smoke } from "./smoke.ts";
import { SmokeFailure } from "./smoke-failure.ts";

/** Webhooks' signatures and presigned requests bear times that the other side compares with its own. */
const clockMsMax = 60_000;

export async function checkHealth({ url, timeoutMs }: Smoke): Promise<string> {
  const response = await fetch(new URL("/v1/health", url), { signal: AbortSignal.timeout(timeoutMs) });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET /v1/health returned ${response.status}`);
  const offMs = Math.abs(Date.parse(response.headers.get("date") ?? "") - Date.now());
  if (offMs > clockMsMax) {
    const minutes = (offMs / 60_000).toFixed(1);
    throw new SmokeFailure("this machine's clock", `it is ${minutes} min off the service's`);
  }
  return `version ${(JSON.parse(text) as { readonly version: string }).version}`;
}

export async function checkDashboardToken({ clientOf }: Smoke, dashboardToken: string): Promise<string> {
  const { total } = await clientOf(dashboardToken).call("listMachines", { query: { limit: 1 } });
  return `its organization has ${total} machines`;
}

/** As a browser asks before a page's request. @throws {SmokeFailure} unless the page may send it. */
export async function checkPreflight(
  { timeoutMs }: Smoke,
  origin: string,
  request: {
    readonly part: string;
    readonly url: string;
    readonly method: string;
    readonly headers: readonly string[];
  },
): Promise<void> {
  const response = await fetch(request.url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": request.method,
      "access-control-request-headers": request.headers.join(","),
    },
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.arrayBuffer();
  const allowed = response.headers.get("access-control-allow-origin");
  if (response.ok && (allowed === origin || allowed === "*")) return;
  throw new SmokeFailure(
    request.part,
    `a page of ${origin} may not ${request.method}: its preflight got ${response.status}; see the setting corsOrigins`,
  );
}

export async function checkPageMayCall(smoke: Smoke, origin: string): Promise<void> {
  await checkPreflight(smoke, origin, {
    part: "HTTP API's CORS",
    url: new URL("/v1/machines", smoke.url).href,
    method: "GET",
    headers: ["authorization"],
  });
}
