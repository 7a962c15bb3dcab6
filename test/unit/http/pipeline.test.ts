import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { ErrorBody, errorCodes } from "../../../shared/contract/errors.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import { authenticate } from "../../../shared/http/access/authenticate.ts";
import { createJwtSessionVerifier } from "../../../shared/http/access/jwt-session-verifier.ts";
import { addressGroup, limitAddress } from "../../../shared/http/access/limit-address.ts";
import {
  limitRate,
  sessionOrganizationLimit,
  sessionUserLimit,
} from "../../../shared/http/access/limit-rate.ts";
import { refusalsPerMinuteMax } from "../../../shared/http/access/limit-refusals.ts";
import { createHttpApp } from "../../../shared/http/create-http-app.ts";
import { statusOf } from "../../../shared/http/errors/error-response.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { audience, issuer, jwksUrl } from "../../support/shared/test-issuer.ts";
import { createTestService } from "../../support/shared/test-service.ts";

async function setUp(perApiKey = 0, perOrganization = 0) {
  const service = await createTestService();
  const deps = { ...service.deps, rateLimits: { perApiKey, perOrganization } };
  const app = createHttpApp(deps);
  app.use("/limited/*", authenticate(deps), limitRate(deps));
  app.get("/limited/who", (c) => c.json(c.var.caller));
  app.delete("/limited/who", (c) => c.body(null, 204));
  app.post("/limited/m/driver/shutdown", (c) => c.body(null, 204));
  app.get("/open", limitAddress(deps, { name: "open", limit: 2 }), (c) => c.text("open"));
  app.get("/bug", () => {
    throw new TypeError("cannot read properties of undefined", { cause: new Error("deeper") });
  });
  app.get("/raw", () => new Response("raw"));
  app.get("/desktop", () => {
    throw new DomainError("driver_timeout", "the desktop did not respond");
  });
  app.get("/away", () => {
    throw new DomainError("service_unavailable", "the table is away", { cause: new Error("refused") });
  });
  const who = (authorization: string) => app.request("/limited/who", { headers: { authorization } });
  return { ...service, app, who };
}

describe("every answer", () => {
  it.each(["/raw", "/bug", "/nowhere", "/limited/who"])(
    "to %s carries the id of its request, as the log does",
    async (path) => {
      const { app, log } = await setUp();
      const response = await app.request(path, {}, { requestId: "from-api-gateway" });
      expect(response.headers.get("x-request-id")).toBe("from-api-gateway");
      expect(log.lines().length).toBeGreaterThan(0);
      for (const line of log.lines()) expect(line).toMatchObject({ request_id: "from-api-gateway" });
    },
  );

  it("is logged once, with names and numbers and without query and headers", async () => {
    const { app, log, authorize } = await setUp();
    const authorization = authorize();
    await app.request("/limited/who?token=secret-query", {
      headers: { authorization, cookie: "secret-cookie" },
    });
    expect(log.lines()).toMatchObject([
      {
        level: "info",
        message: "request",
        method: "GET",
        route: "/limited/who",
        status: 200,
        caller: "api_key",
      },
    ]);
    expect(log.text()).not.toMatch(/secret-query|secret-cookie|das_/);
  });
});

describe("the line of a request", () => {
  it("has the ids of its path, but no text that is none", async () => {
    const { deps, log, authorize } = await createTestService();
    const app = createMachinesApp(deps);
    const ids = ["01890000-0000-7000-8000-000000000000", "typed-text"];
    const headers = { authorization: authorize() };
    for (const id of ids) await app.request(`/v1/machines/${id}`, { headers });
    for (const id of ids) await app.request(`/v1/machines/${id}`);
    const forbidden = { authorization: authorize({ scopes: ["driver"] }) };
    for (const id of ids) await app.request(`/v1/machines/${id}`, { headers: forbidden });
    const requests = log.lines().filter(({ message }) => message === "request");
    expect(requests.map(({ machine_id, status }) => [status, machine_id])).toEqual([
      [404, ids[0]],
      [422, undefined],
      ...Array(4).fill([403, undefined]),
    ]);
    expect(log.text()).not.toContain("typed-text");
  });

  it.each([
    ["/raw", "ok"],
    ["/nowhere", "refused"],
    ["/away", "failed"],
    ["/desktop", "desktop_failed"],
  ])("to %s says whose doing the response was: %s", async (path, outcome) => {
    const { app, log } = await setUp();
    await app.request(path);
    expect(log.lines().at(-1)).toMatchObject({ message: "request", outcome });
  });

  it("has the number and time of its own calls to each service, and its time without the desktop's", async () => {
    const { app, log, deps } = await setUp();
    app.get("/calls", (c) => {
      deps.calls.note("dynamodb", 2.6);
      deps.calls.note("dynamodb", 3);
      deps.calls.note("desktop", 700);
      deps.clock.advance(710);
      return c.body(null);
    });
    deps.calls.note("secretsmanager", 80);
    await app.request("/calls");
    await app.request("/raw");
    expect(log.lines()).toMatchObject([
      {
        duration_ms: 710,
        service_ms: 10,
        desktop_ms: 700,
        calls: { dynamodb: { n: 2, ms: 6 }, desktop: { n: 1, ms: 700 } },
      },
      { duration_ms: 0, service_ms: 0, calls: {} },
    ]);
    expect(log.lines()[0]?.calls).not.toHaveProperty("secretsmanager");
  });
});

describe("errors", () => {
  it("answers a bug with a fixed sentence and the request id, and logs it once with its causes", async () => {
    const { app, log } = await setUp();
    const response = await app.request("/bug", {}, { requestId: "r-1" });
    expect(response.status).toBe(500);
    expect(ErrorBody.parse(await response.json())).toMatchObject({
      error: "Internal Server Error",
      message: "the service failed; please report it with the request id",
      error_code: "internal_error",
      details: { request_id: "r-1" },
    });
    const errors = log.lines().filter((line) => line.level === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ cause: { name: "TypeError", cause: { message: "deeper" } } });
  });

  it("answers what passes by itself with 503 and keeps the reason to the log", async () => {
    const { app, log } = await setUp();
    const response = await app.request("/away");
    expect([response.status, await response.text()]).toEqual([503, expect.not.stringContaining("refused")]);
    expect(log.text()).toContain("refused");
  });

  it("has a status for every code that the specification's table or design knows", () => {
    const known = [400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 428, 429, 500, 502, 503, 504];
    for (const code of errorCodes) expect(known).toContain(statusOf(new DomainError(code, "m")));
  });

  it("hands a driver's 4xx on, and nothing else that a driver says", () => {
    const rejected = (driverStatus: number) =>
      statusOf(new DomainError("driver_rejected", "m", { driverStatus }));
    expect([rejected(404), rejected(418), rejected(200), rejected(500)]).toEqual([404, 418, 400, 400]);
    expect([rejected(401), rejected(403)]).toEqual([502, 502]);
    expect(statusOf(new DomainError("driver_failed", "m", { driverStatus: 404 }))).toBe(502);
  });
});

describe("dashboard tokens", () => {
  it("make a caller with read, write and admin, whose user id is made of issuer and subject", async () => {
    const { who, identity } = await setUp();
    const ask = async (idempotencyRecords: Record<string, unknown>) =>
      (await (await who(`Bearer ${await identity.token(idempotencyRecords)}`)).json()) as Record<
        string,
        unknown
      >;
    const first = await ask({ sub: "auth0|7", org_id: "org_a" });
    expect(first).toMatchObject({
      kind: "session",
      organizationId: "org_a",
      scopes: ["read", "write", "admin"],
      keyId: null,
    });
    expect(first.userId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(await ask({ sub: "auth0|7", org_id: "org_a" })).toEqual(first);
    expect((await ask({ sub: "auth0|8" })).userId).not.toBe(first.userId);
  });

  it.each([
    ["owner", ["read", "write", "admin"]],
    [
      ["viewer", "org:admin"],
      ["read", "admin", "write"],
    ],
    ["member", ["read", "write"]],
    [["viewer"], ["read"]],
    [["billing:admin", "org:billing:owner"], undefined],
    ["constructor", undefined],
    [[{ role: "owner" }], undefined],
    [null, undefined],
  ])("have the scopes of the roles %j where a claim names them", async (roles, scopes) => {
    const { deps, identity } = await createTestService();
    const rolesClaim = "https://issuer.example/roles";
    const { clock, fetch } = { ...deps, fetch: identity.fetch };
    const maxAgeSeconds = 43_200;
    const verifier = { issuer, audience, jwksUrl, maxAgeSeconds, rolesClaim, clock, fetch };
    const app = createHttpApp(deps);
    app.use(authenticate({ ...deps, sessionVerifier: createJwtSessionVerifier(verifier) }));
    app.get("/who", (c) => c.json(c.var.caller.scopes));
    const authorization = `Bearer ${await identity.token({ [rolesClaim]: roles })}`;
    const response = await app.request("/who", { headers: { authorization } });
    const seen = response.status === 200 ? ((await response.json()) as string[]).sort() : response.status;
    expect(seen).toEqual(scopes?.toSorted() ?? 403);
  });

  it("keep a subject that is a UUID as the user id", async () => {
    const { who, identity } = await setUp();
    const sub = "0190B5A0-0000-7000-8000-0000000000AA";
    const response = await who(`Bearer ${await identity.token({ sub })}`);
    expect(await response.json()).toMatchObject({ userId: sub.toLowerCase() });
  });

  it.each([
    ["say not when they were issued", { iat: null }],
    ["were issued more than 12 hours ago, however late they expire", { iat: -12 * 3_600 - 6 }],
    ["say that they are issued in an hour", { iat: 3_600 }],
    ["name an organization that would leave its folder", { org_id: "../org_1" }],
    ["name an organization that would end its key", { org_id: "org_1#MACHINE" }],
    ["name an organization of 129 characters", { org_id: "o".repeat(129) }],
  ])(
    "are refused when they %s",
    async (_what, { iat, ...claims }: { iat?: number | null; org_id?: string }) => {
      const { who, identity, stores } = await setUp();
      const now = Math.floor(stores.clock.now() / 1_000);
      const issued = iat === undefined ? {} : { iat: iat === null ? null : now + iat };
      const token = await identity.token({ ...claims, ...issued, exp: now + 86_400 });
      expect((await who(`Bearer ${token}`)).status).toBe(401);
    },
  );

  it("may come from an issuer whose clock is ahead by seconds", async () => {
    const { who, identity, stores } = await setUp();
    const iat = Math.floor(stores.clock.now() / 1_000) + 4;
    expect((await who(`Bearer ${await identity.token({ iat })}`)).status).toBe(200);
  });

  it("are verified with keys that are read once", async () => {
    const { who, identity } = await setUp();
    const token = await identity.token();
    for (let index = 0; index < 3; index += 1) expect((await who(`Bearer ${token}`)).status).toBe(200);
    expect(identity.network.fetches).toBe(1);
  });

  it("are answered with 503, not 401, when the issuer's keys cannot be read", async () => {
    const { who, identity } = await setUp();
    identity.network.isAway = true;
    const response = await who(`Bearer ${await identity.token()}`);
    expect(ErrorBody.parse(await response.json()).error_code).toBe("service_unavailable");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  });
});

describe("rate limits", () => {
  it("stop a dashboard user at 480 in a window, without X-RateLimit headers", async () => {
    const { who, identity, stores } = await setUp();
    const authorization = `Bearer ${await identity.token()}`;
    for (let index = 0; index < sessionUserLimit; index += 1) {
      expect((await who(authorization)).status).toBe(200);
    }
    const refused = await who(authorization);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect([...refused.headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
    stores.clock.advance(60_000);
    expect((await who(authorization)).status).toBe(200);
  });

  it("do not count a user's refused requests against the organization", async () => {
    const { who, identity, stores } = await setUp();
    const noisy = `Bearer ${await identity.token({ sub: "noisy" })}`;
    for (let index = 0; index < sessionUserLimit + 50; index += 1) await who(noisy);
    const decision = await stores.rateLimiter.take({
      name: "jwt-organization#org_1",
      limit: sessionOrganizationLimit,
    });
    expect(decision).toMatchObject({ remaining: sessionOrganizationLimit - sessionUserLimit - 1 });
  });

  it("stop an organization's users together at 4,000", async () => {
    const { who, identity, stores } = await setUp();
    const bucket = { name: "jwt-organization#org_1", limit: sessionOrganizationLimit };
    for (let index = 0; index < sessionOrganizationLimit; index += 1) await stores.rateLimiter.take(bucket);
    expect((await who(`Bearer ${await identity.token()}`)).status).toBe(429);
  });

  it("count nothing and say nothing for API keys when both are off", async () => {
    const { who, authorize, deps } = await setUp();
    deps.rateLimiter.take = () => {
      throw new Error("nothing is to be counted");
    };
    const response = await who(authorize());
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([200, null]);
  });

  it("count an organization's API keys together when on, but not what a key's own limit refuses", async () => {
    const { who, authorize } = await setUp(2, 3);
    const [one, other] = [authorize(), authorize()];
    const ask = async (authorization: string) => {
      const { status, headers } = await who(authorization);
      return [status, ...["limit", "remaining"].map((name) => headers.get(`x-ratelimit-${name}`))];
    };
    expect(await ask(one)).toEqual([200, "2", "1"]);
    expect(await ask(one)).toEqual([200, "2", "0"]);
    for (let refused = 0; refused < 3; refused += 1) expect(await ask(one)).toEqual([429, "2", "0"]);
    expect(await ask(other)).toEqual([200, "2", "1"]);
    expect(await ask(other)).toEqual([429, "3", "0"]);
    expect((await who(authorize({ organizationId: anOrganization() }))).status).toBe(200);
  });

  it("are structured fields that name each limit, and what is left under those that counted", async () => {
    const { app, who, authorize, stores } = await setUp(2, 3);
    const [one, other] = [authorize(), authorize()];
    const seconds = 60 - ((stores.clock.now() / 1_000) % 60);
    const fieldsOf = ({ headers }: Response) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];
    const policy = '"api-key";q=2;w=60, "api-keys";q=3;w=60';
    const left = (ofKey: number, ofAll: number) =>
      `"api-key";r=${ofKey};t=${seconds}, "api-keys";r=${ofAll};t=${seconds}`;
    expect(fieldsOf(await who(one))).toEqual([policy, left(1, 2)]);
    expect(fieldsOf(await who(one))).toEqual([policy, left(0, 1)]);
    expect(fieldsOf(await who(one))).toEqual([policy, `"api-key";r=0;t=${seconds}`]);
    expect(fieldsOf(await who(other))).toEqual([policy, left(1, 0)]);
    expect(fieldsOf(await who(other))).toEqual([policy, left(0, 0)]);
    const gone = await app.request("/limited/who", { method: "DELETE", headers: { authorization: one } });
    expect(fieldsOf(gone)).toEqual([
      policy.replaceAll('";', '-clean-up";'),
      left(1, 2).replaceAll('";', '-clean-up";'),
    ]);
  });

  it("never refuse an API key's clean-up because of its reads, but cap it too", async () => {
    const { app, who, authorize } = await setUp(2);
    const authorization = authorize();
    for (let read = 0; read < 3; read += 1) await who(authorization);
    expect((await who(authorization)).status).toBe(429);
    const statusOf = async (method: string, path: string) =>
      (await app.request(path, { method, headers: { authorization } })).status;
    expect(await statusOf("DELETE", "/limited/who")).toBe(204);
    expect(await statusOf("POST", "/limited/m/driver/shutdown")).toBe(204);
    expect(await statusOf("DELETE", "/limited/who")).toBe(429);
  });

  it("count each API key by itself when on, and say so in three headers", async () => {
    const { who, authorize } = await setUp(2);
    const [one, other] = [authorize(), authorize()];
    const remaining = async (authorization: string) => {
      const { status, headers } = await who(authorization);
      expect(headers.get("x-ratelimit-limit")).toBe("2");
      expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(0);
      return [status, headers.get("x-ratelimit-remaining"), headers.has("retry-after")];
    };
    expect(await remaining(one)).toEqual([200, "1", false]);
    expect(await remaining(one)).toEqual([200, "0", false]);
    expect(await remaining(one)).toEqual([429, "0", true]);
    expect(await remaining(other)).toEqual([200, "1", false]);
  });

  it("count an address where nobody needs credentials", async () => {
    const { app } = await setUp();
    const from = async (sourceAddress: string) => (await app.request("/open", {}, { sourceAddress })).status;
    expect([await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.1")]).toEqual([
      200, 200, 429,
    ]);
    expect(await from("192.0.2.2")).toBe(200);
  });

  it("count the refused credentials of an address, and neither its valid ones nor another's", async () => {
    const { app, authorize } = await setUp();
    const from = async (sourceAddress: string, authorization: string) =>
      (await app.request("/limited/who", { headers: { authorization } }, { sourceAddress })).status;
    const wrong = "Bearer das_nobody";
    for (let count = 0; count < refusalsPerMinuteMax; count++) {
      expect(await from("192.0.2.1", wrong)).toBe(401);
    }
    const refused = await app.request(
      "/limited/who",
      { headers: { authorization: wrong } },
      { sourceAddress: "192.0.2.1" },
    );
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, true]);
    expect(await from("192.0.2.1", authorize())).toBe(200);
    expect(await from("192.0.2.2", wrong)).toBe(401);
  });

  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["unknown", "unknown"],
  ])("count %s as %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
