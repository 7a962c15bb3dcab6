import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import * as z from "zod";
import { ownScopes, scopes } from "../../shared/vocabulary/access.ts";
import type { AwsEndpoint } from "./aws/aws-endpoint.ts";
import { createControlRoutes } from "./aws/control-routes.ts";
import type { Schedules } from "./events/schedules.ts";
import { keepAliveMs } from "./gateway/start-gateway.ts";
import type { IdentityProvider } from "./identity/identity-provider.ts";
import { type MintRequest, tokenFlaws } from "./identity/mint-token.ts";
import type { SkippableClock } from "./lambda/durable/clock.ts";
import type { DurableEngine } from "./lambda/durable/durable-engine.ts";
import type { LambdaService } from "./lambda/lambda-service.ts";
import type { LocalMetrics } from "./local-metrics.ts";
import { type LoopbackServer, listenOnLoopback } from "./loopback-server.ts";
import type { KeyMaker, Scopes } from "./seed.ts";
import { serveFetch } from "./serve-fetch.ts";

export type ControlDeps = {
  readonly aws: AwsEndpoint;
  readonly lambda: LambdaService;
  readonly durable: { readonly engine: DurableEngine; readonly clock: SkippableClock };
  readonly schedules: Schedules;
  readonly metrics: Pick<LocalMetrics, "list">;
  readonly identity: IdentityProvider;
  readonly makeKey: KeyMaker;
  /** Every request must have this bearer token, because the API makes keys for any organization. */
  readonly token: string;
};

const MintBody = z.strictObject({
  organization_id: z.string().min(1),
  sub: z.string().min(1).optional(),
  flaw: z.enum(tokenFlaws).optional(),
  lifetime_seconds: z.number().int().min(1).optional(),
  claims: z.record(z.string(), z.unknown()).optional(),
});

const Scope = z.enum(scopes);

const KeyBody = z.strictObject({
  organization_id: z.string().min(1),
  user_id: z.uuid().optional(),
  scopes: z.array(Scope).min(1),
  name: z.string().min(1).optional(),
});

const OrganizationBody = z.strictObject({
  organization_id: z.string().min(1).optional(),
  keys: z.record(z.string(), z.array(Scope).min(1)).optional(),
});

const defaultKeys: Readonly<Record<string, Scopes>> = {
  full: ownScopes,
  read: ["read"],
  write: ["write"],
  driver: ["driver"],
  worker: ["worker"],
  operator: ["read", "operator"],
};

function mintRequest(body: z.output<typeof MintBody>): MintRequest {
  return {
    organizationId: body.organization_id,
    subject: body.sub ?? randomUUID(),
    ...(body.flaw === undefined ? {} : { flaw: body.flaw }),
    ...(body.lifetime_seconds === undefined ? {} : { lifetimeSeconds: body.lifetime_seconds }),
    ...(body.claims === undefined ? {} : { claims: body.claims }),
  };
}

type LocalFunction = NonNullable<ReturnType<LambdaService["find"]>>;

function functionRoutes(lambda: LambdaService): Hono<{ Variables: { fn: LocalFunction } }> {
  const routes = new Hono<{ Variables: { fn: LocalFunction } }>();
  const stateOf = ({ model, state }: LocalFunction) => ({ name: model.shortName, ...state });
  routes.get("/", (context) => context.json({ items: lambda.list().map(stateOf) }));
  routes.use("/:name/*", async (context, next) => {
    const fn = lambda.find(context.req.param("name"));
    if (fn === undefined) return context.json({ message: "no such function" }, 404);
    context.set("fn", fn);
    return await next();
  });
  routes.post("/:name/recycle", async (context) => {
    const { fn } = context.var;
    await fn.recycle();
    return context.json(stateOf(fn));
  });
  routes.get("/:name/variables", (context) => context.json(context.var.fn.variables));
  routes.put("/:name/variables", zValidator("json", z.record(z.string(), z.string())), async (context) => {
    const { fn } = context.var;
    await fn.replaceVariables(context.req.valid("json"));
    return context.json(stateOf(fn));
  });
  routes.post("/:name/crash", async (context) => {
    const { fn } = context.var;
    const hasCrashed = await fn.crashBusy();
    if (!hasCrashed) return context.json({ message: "the function has no request under way" }, 409);
    return context.json(stateOf(fn));
  });
  routes.post("/:name/invoke", async (context) =>
    context.json(await context.var.fn.invoke(await context.req.json())),
  );
  return routes;
}

function scheduleRoutes(schedules: Schedules, lambda: LambdaService): Hono {
  const nameOf = (functionAddress: string): string =>
    lambda.find(functionAddress)?.model.shortName ?? functionAddress;
  const routes = new Hono();
  routes.get("/", (context) =>
    context.json({
      items: schedules.list().map(({ name, expression, functionAddress }) => ({
        name,
        expression,
        function: nameOf(functionAddress),
      })),
    }),
  );
  routes.post("/:name/fire", async (context) => {
    const wanted = context.req.param("name");
    const found = schedules
      .list()
      .find((each) => each.name === wanted || nameOf(each.functionAddress) === wanted);
    if (found === undefined) return context.json({ message: "no such schedule" }, 404);
    return context.json(await schedules.fire(found));
  });
  return routes;
}

/** Another user of this machine can reach the address but not read the token's file. */
function isToken(token: string, authorization = ""): boolean {
  const [expected, given] = [`Bearer ${token}`, authorization].map((text) =>
    createHash("sha256").update(text).digest(),
  );
  return expected !== undefined && given !== undefined && timingSafeEqual(expected, given);
}

function createControlApp(deps: ControlDeps): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    // A page in a browser may send requests to loopback, but cannot omit Origin, nor fake Host.
    const host = context.req.header("host") ?? "";
    const isLoopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
    if (context.req.header("origin") !== undefined || !isLoopback)
      return context.json({ message: "forbidden" }, 403);
    if (!isToken(deps.token, context.req.header("authorization")))
      return context.json({ message: "Authorization: Bearer <control_token of .local/stack.json>" }, 401);
    return await next();
  });
  app.onError((error, context) => context.json({ message: error.message }, 500));
  app.route("/aws", createControlRoutes(deps.aws));
  // The URL bypasses the endpoint's checks, so tests can write and read any row.
  app.get("/dynamodb", (context) => context.json({ url: deps.aws.dynamoDbUrl }));
  app.get("/metrics", (context) => context.json({ items: deps.metrics.list() }));
  app.route("/functions", functionRoutes(deps.lambda));
  app.route("/durable", createDurableControlRoutes(deps.durable.engine, deps.durable.clock));
  app.route("/schedules", scheduleRoutes(deps.schedules, deps.lambda));
  app.post("/tokens", zValidator("json", MintBody), async (context) =>
    context.json({ token: await deps.identity.mint(mintRequest(context.req.valid("json"))) }, 201),
  );
  app.post("/keys", zValidator("json", KeyBody), async (context) => {
    const { organization_id, user_id = randomUUID(), scopes, name = "test" } = context.req.valid("json");
    return context.json(
      { api_key: await deps.makeKey(organization_id, user_id, scopes, name), user_id },
      201,
    );
  });
  app.post("/organizations", zValidator("json", OrganizationBody), async (context) => {
    const { organization_id = `org_${randomUUID().slice(0, 8)}`, keys = defaultKeys } =
      context.req.valid("json");
    const userId = randomUUID();
    const made = await Promise.all(
      Object.entries(keys).map(async ([name, scopes]): Promise<[string, string]> => {
        return [name, await deps.makeKey(organization_id, userId, scopes, name)];
      }),
    );
    const jwt = await deps.identity.mint({ organizationId: organization_id, subject: userId });
    return context.json({ organization_id, user_id: userId, api_keys: Object.fromEntries(made), jwt }, 201);
  });
  return app;
}

export async function startControl(deps: ControlDeps): Promise<LoopbackServer> {
  const app = createControlApp(deps);
  return await listenOnLoopback(
    createServer(
      { keepAliveTimeout: keepAliveMs },
      serveFetch((request) => app.fetch(request)),
    ),
    0,
  );
}

function createDurableControlRoutes(engine: DurableEngine, clock: SkippableClock): Hono {
  const routes = new Hono();
  routes.get("/", (context) =>
    context.json({
      items: engine.list().map(({ arn, input, status, log }) => ({
        arn,
        name: input.name,
        status,
        operations: log.operationCount,
      })),
    }),
  );
  routes.get("/histories", (context) => {
    const name = context.req.query("name");
    const wanted = engine.list().filter(({ input }) => name === undefined || input.name === name);
    return context.json({
      items: wanted.map(({ arn, input, status, history }) => ({
        arn,
        status,
        input,
        events: history.events,
      })),
      // The events' times are the engine's, whose clock is ahead of the machine's by what was skipped.
      ahead_ms: clock.now() - Date.now(),
    });
  });
  routes.post("/hold", (context) => {
    engine.hold();
    return context.body(null, 204);
  });
  routes.post("/release", (context) => {
    engine.release();
    return context.body(null, 204);
  });
  routes.post("/skip", zValidator("json", z.strictObject({ seconds: z.number().min(0) })), (context) => {
    clock.skip(context.req.valid("json").seconds * 1_000);
    return context.body(null, 204);
  });
  return routes;
}
