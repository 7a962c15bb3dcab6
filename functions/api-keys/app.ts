import type { Hono } from "hono";
import { apiKeyOperations } from "../../shared/contract/operations/api-key-operations.ts";
import type { ApiKeyStore } from "../../shared/domain/access/api-key.ts";
import { type CreateApiKeyDeps, createApiKey } from "../../shared/domain/access/create-api-key.ts";
import { deleteApiKey } from "../../shared/domain/access/delete-api-key.ts";
import { listApiKeys } from "../../shared/domain/access/list-api-keys.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentApiKey, presentNewApiKey } from "./present-api-key.ts";

export interface ApiKeysAppDeps extends HttpDeps, Pick<CreateApiKeyDeps, "mintApiKey"> {
  readonly apiKeys: Pick<ApiKeyStore, "find" | "list" | "lastUses" | "count" | "createOwn" | "remove">;
}

export function createApiKeysApp(deps: ApiKeysAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  serveOperations(app, deps, apiKeyOperations, {
    listApiKeys: async ({ caller, query }) => {
      const { items, total } = await listApiKeys(deps, caller, query);
      return { items: items.map(presentApiKey), total, ...query };
    },
    createApiKey: async ({ caller, body, idempotent }) => {
      const { name, scopes, ...others } = body;
      const input = { name, scopes, ...given(inCamelCase(others)) };
      return presentNewApiKey(
        await idempotent((idempotency) => createApiKey(deps, caller, input, idempotency)),
      );
    },
    deleteApiKey: ({ caller, path, idempotent }) =>
      idempotent((idempotency) =>
        deleteApiKey(deps, caller, { id: path.api_key_id.replaceAll("-", "") }, idempotency),
      ),
  });
  return app;
}
