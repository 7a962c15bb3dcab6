import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import type { RouteGroup } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { safeHeaders } from "../../../shared/http/safe-headers.ts";
import { scopes } from "../../../shared/vocabulary/access.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { apps, groups, putResources, queries } from "../../support/shared/every-operation.ts";
import { createTestService } from "../../support/shared/test-service.ts";
import { fixedParameters } from "../../support/stack/operations.ts";

/** A service, and a function that sends the operation's example for a resource that is there where `isThere`. */
async function setUp(group: RouteGroup, { method, path, query, example }: Operation, isThere = false) {
  const service = await createTestService();
  const app = apps[group](service.deps);
  const ids = isThere ? await putResources(service) : fixedParameters;
  const needed = Object.fromEntries(Object.entries(queries).filter(([name]) => query?.shape[name]));
  const ask = async (authorization?: string) => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? randomUUID());
    const response = await app.request(`${address}?${new URLSearchParams(needed)}`, {
      method,
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      ...(example && { body: JSON.stringify(example) }),
    });
    expect(Object.fromEntries(response.headers)).toMatchObject(safeHeaders);
    const { success, data } = ErrorBody.safeParse(await response.json().catch(() => undefined));
    return { response, code: success ? data.error_code : undefined };
  };
  return { service, ask };
}

describe.each(groups)("the function %s", (group, operations) => {
  it("serves its group's operations, each of them and nothing else", async () => {
    const { deps } = await createTestService();
    const routes = apps[group](deps).routes.filter(({ method }) => method !== "ALL");
    const served = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(new Set(served)).toEqual(new Set(operations.map(({ method, path }) => `${method} ${path}`)));
  });

  const bearer = operations.filter(({ access }) => access === "bearer");
  describe.each(bearer.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
    it("answers 403 without credentials, or 401 where they are asked for", async () => {
      const { ask } = await setUp(group, operation);
      const { response, code } = await ask();
      const refused = operation.isChallenged ? [401, "invalid_credentials"] : [403, "missing_credentials"];
      expect([response.status, code]).toEqual(refused);
    });

    it("answers 401 to credentials that are not valid, and does not log them", async () => {
      const { ask, service } = await setUp(group, operation);
      const { response, code } = await ask("Bearer das_unknown_secret");
      expect([response.status, code]).toEqual([401, "invalid_credentials"]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      expect(service.log.text()).not.toContain("das_unknown_secret");
    });

    it.each(scopes)(
      "takes a key with the scope %s alone exactly when the contract says so",
      async (scope) => {
        const { ask, service } = await setUp(group, operation);
        const { response, code } = await ask(service.authorize({ scopes: [scope] }));
        const isRefused = response.status === 403 && code === "insufficient_scope";
        const enough: readonly string[] = scope === "admin" ? ["admin", "write"] : [scope];
        expect(isRefused).toBe(!operation.scopes?.some((each) => enough.includes(each)));
      },
    );

    if (!/_id\}/.test(operation.path)) return;
    it("answers 404, not 403, to another organization", async () => {
      const { ask, service } = await setUp(group, operation, true);
      const stranger = { organizationId: anOrganization(), scopes: [...scopes] };
      const { response, code } = await ask(service.authorize(stranger));
      expect([response.status, code]).toEqual([404, "not_found"]);
    });
  });
});
