import { originValidation } from "@modelcontextprotocol/hono";
import type { Hono, MiddlewareHandler } from "hono";
import { type ApiClientOptions, createApiClient } from "../../shared/client/api-client.ts";
import { mcpOperations } from "../../shared/contract/operations/mcp-operations.ts";
import { jsonBodyBytesMax } from "../../shared/contract/operations/operation.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { forwardedAddressHeader, signAddress } from "../../shared/http/access/forwarded-address.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { AccessDeps, AppDeps, IdempotentDeps, RateLimitDeps } from "../../shared/http/http-deps.ts";
import type { HttpContext, HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { createAssistantServer } from "./assistant-server.ts";
import { serveMcp } from "./serve-mcp.ts";
import type { ToolDeps } from "./tool-handlers.ts";

export interface McpAppDeps
  extends AppDeps,
    AccessDeps,
    RateLimitDeps,
    Pick<IdempotentDeps, "idempotencySigner"> {
  readonly version: string;
  /** The address of this API. */
  readonly baseUrl: string;
  /** Host names of the pages that may call; programs send no `Origin`. */
  readonly originHosts: readonly string[];
  readonly fetch?: ApiClientOptions["fetch"];
  readonly createServer?: typeof createAssistantServer;
}

export function createMcpApp(deps: McpAppDeps): Hono<HttpEnv> {
  const { version, createServer = createAssistantServer } = deps;
  const app = createHttpApp(deps);
  app.on(
    "POST",
    "/mcp",
    originValidation([...deps.originHosts]),
    challenge,
    authenticate(deps),
    limitRate(deps, "-mcp"),
  );
  serveOperations(app, deps, mcpOperations, {
    callMcp: async ({ c, caller }) => {
      const options = { version, scopes: caller.scopes, ...callersApi(deps, c) };
      const serve = serveMcp({
        createServer: () => createServer(options),
        messageBytesMax: jsonBodyBytesMax,
      });
      return await serve(await requestOf(c));
    },
    openMcpStream: ({ c }) => refuse(c),
    endMcpSession: ({ c }) => refuse(c),
  });
  return app;
}

/** Assistants look for credentials when they are asked for them by 401 alone. */
const challenge: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.header("authorization") === undefined) {
    throw new DomainError(
      "invalid_credentials",
      "credentials are needed: Authorization: Bearer <API key or token>",
    );
  }
  await next();
};

function refuse(c: HttpContext): never {
  c.header("Allow", "POST");
  throw new DomainError(
    "method_not_allowed",
    "there are no streams and no sessions here: send messages by POST",
  );
}

/** The function has 29 s; what a tool has found out by then is worth more than its end. */
const toolMs = 27_000;
const retries = { attemptsMax: 3, totalMs: 4_000 };

function callersApi({ baseUrl, idempotencySigner, clock, ...deps }: McpAppDeps, c: HttpContext): ToolDeps {
  const credentials = c.req.header("authorization")?.replace(/^bearer +/i, "") ?? "";
  const send = deps.fetch ?? fetch;
  const ending = AbortSignal.timeout(toolMs);
  const sendOn: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const address = c.env?.sourceAddress ?? "unknown";
    headers.set(forwardedAddressHeader, await signAddress(idempotencySigner, clock, address));
    const signals = [ending, ...(init?.signal ? [init.signal] : [])];
    return await send(input, { ...init, headers, signal: AbortSignal.any(signals) });
  };
  const options = { baseUrl, credentials, fetch: sendOn };
  return {
    api: createApiClient({ ...options, ...retries }),
    apiOnce: createApiClient({ ...options, attemptsMax: 1 }),
  };
}

/** The SDK takes Node's own class of requests, and only from clients that name both forms, of which one is ever sent. */
async function requestOf(c: HttpContext): Promise<Request> {
  const { url, method } = c.req;
  const headers = { ...c.req.header(), accept: "application/json, text/event-stream" };
  return new Request(url, { method, headers, body: await c.req.text() });
}
