import { describe, expect, it } from "vitest";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import type { Scope } from "../../../shared/domain/access/caller.ts";
import { anOrganization } from "../builders/entities.ts";
import { createTestService, type TestService } from "./test-service.ts";

/** One operation, as a caller who may use it would ask for it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Of a resource of the service's organization, made for the purpose. */
  readonly path: (service: TestService) => string | Promise<string>;
  readonly body?: unknown;
  /** One that it does not suffice to have. */
  readonly wrongScope: Scope;
  /** Whether it names a resource, which another organization then must not find. */
  readonly isOfOneResource: boolean;
}

interface App {
  request(path: string, init: RequestInit): Response | Promise<Response>;
}

/** What holds for every operation that needs credentials: run it with each route group's operations. */
export function describeEveryRoute(
  createApp: (deps: TestService["deps"]) => App,
  operations: Readonly<Record<string, Operation>>,
): void {
  describe.each(Object.entries(operations))("%s", (_name, operation) => {
    const ask = async (authorization: (service: TestService) => string | undefined) => {
      const service = await createTestService();
      const header = authorization(service);
      const response = await createApp(service.deps).request(await operation.path(service), {
        method: operation.method,
        headers: {
          ...(header === undefined ? {} : { authorization: header }),
          ...(operation.body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(operation.body === undefined ? {} : { body: JSON.stringify(operation.body) }),
      });
      return { response, body: ErrorBody.parse(await response.json()), service };
    };

    it("answers 403 without credentials", async () => {
      const { response, body } = await ask(() => undefined);
      expect([response.status, body.error_code]).toEqual([403, "missing_credentials"]);
    });

    it("answers 401 to credentials that are not valid, and does not log them", async () => {
      const { response, body, service } = await ask(() => "Bearer das_unknown_secret");
      expect([response.status, body.error_code]).toEqual([401, "invalid_credentials"]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      expect(service.log.text()).not.toContain("das_unknown_secret");
    });

    it("answers 403 to a key without the scope", async () => {
      const { response, body } = await ask((service) =>
        service.authorize({ scopes: [operation.wrongScope] }),
      );
      expect([response.status, body.error_code]).toEqual([403, "insufficient_scope"]);
    });

    it("answers 403 to a key that may open tunnels and nothing else", async () => {
      const { response, body } = await ask((service) => service.authorize({ scopes: ["driver"] }));
      expect([response.status, body.error_code]).toEqual([403, "insufficient_scope"]);
    });

    if (!operation.isOfOneResource) return;
    it("answers 404, not 403, to another organization", async () => {
      const { response, body } = await ask((service) =>
        service.authorize({ organizationId: anOrganization() }),
      );
      expect([response.status, body.error_code]).toEqual([404, "not_found"]);
    });
  });
}
