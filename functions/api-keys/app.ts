import type { Hono } from "hono";
import { apiKeyOperations } from "../../shared/contract/operations/api-key-operations.ts";
import type { ApiKeyStore } from "../../shared/domain/access/api-key.ts";
import { requireScope } from "../../shared/domain/access/caller.ts";
import { type CreateApiKeyDeps, createApiKey } from "../../shared/domain/access/create-api-key.ts";
import { deleteApiKey } from "../../shared/domain/access/delete-api-key.ts";
import { listApiKeys } from "../../shared/domain/access/list-api-keys.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";
import { presentApiKey, presentCaller, presentNewApiKey } from "./present-api-key.ts";

export interface ApiKeysAppDeps extends HttpDeps, Pick<CreateApiKeyDeps, "mintApiKey"> {
  readonly apiKeys: Pick<ApiKeyStore, "find" | "list" | "lastUses" | "count" | "createOwn" | "remove">;
}

export function createApiKeysApp(deps: ApiKeysAppDeps): Hono<HttpEnv> {
  return createCallersApp(deps, apiKeyOperations, {
    getCaller: async ({ caller }) => {
      requireScope(caller, "read");
      return presentCaller(caller);
    },
    listApiKeys: async ({ caller, query }) => {
      const { items, total } = await listApiKeys(deps, caller, query);
      return { items: items.map(presentApiKey), total, ...query };
    },
    createApiKey: async ({ body, write }) => {
      const { name, scopes, ...others } = body;
      const input = { name, scopes, ...given(inCamelCase(others)) };
      return presentNewApiKey(await write(createApiKey, input));
    },
    deleteApiKey: ({ path, write }) => write(deleteApiKey, { id: path.api_key_id.replaceAll("-", "") }),
  });
}
