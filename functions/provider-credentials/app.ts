import type { Hono } from "hono";
import {
  ProviderSlotPath,
  ReportInvalidBody,
  SetProviderCredentialBody,
} from "../../shared/contract/provider-credential.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
import { deleteProviderCredential } from "../../shared/domain/provider/delete-provider-credential.ts";
import type { ProviderCredentialStore } from "../../shared/domain/provider/provider-credential-store.ts";
import {
  getProviderCredential,
  listProviderCredentials,
} from "../../shared/domain/provider/read-provider-credentials.ts";
import { reportInvalidCredential } from "../../shared/domain/provider/report-invalid-credential.ts";
import { setProviderCredential } from "../../shared/domain/provider/set-provider-credential.ts";
import type { SecretStore } from "../../shared/domain/secret-store.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentProviderSlot } from "./present-provider-slot.ts";
import { readKey } from "./read-key.ts";

export interface ProviderCredentialsDeps extends HttpDeps {
  readonly providerCredentials: ProviderCredentialStore;
  readonly secrets: SecretStore;
}

/** An organization's own keys for AI model providers, one a slot. */
export function createProviderCredentialsApp(deps: ProviderCredentialsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  app.get("/v1/provider-credentials", async (c) => {
    await readRequest(c, {});
    const slots = await listProviderCredentials(deps, c.var.caller);
    return c.json(slots.map(presentProviderSlot));
  });

  app.get("/v1/provider-credentials/:slot", async (c) => {
    const { path } = await readRequest(c, { path: ProviderSlotPath });
    return c.json(presentProviderSlot(await getProviderCredential(deps, c.var.caller, path)));
  });

  app.put("/v1/provider-credentials/:slot", async (c) => {
    const { path, body } = await readRequest(c, { path: ProviderSlotPath, body: SetProviderCredentialBody });
    const input = readKey(path.slot, body);
    const work = (idempotency?: Idempotency) => setProviderCredential(deps, c.var.caller, input, idempotency);
    return c.json(presentProviderSlot(await idempotent(c, deps, work, "transactional")));
  });

  app.delete("/v1/provider-credentials/:slot", async (c) => {
    const { path } = await readRequest(c, { path: ProviderSlotPath });
    const work = (idempotency?: Idempotency) =>
      deleteProviderCredential(deps, c.var.caller, { ...path, idempotency });
    return c.json(presentProviderSlot(await idempotent(c, deps, work, "transactional")));
  });

  app.post("/v1/provider-credentials/:slot/report-invalid", async (c) => {
    const { path, body } = await readRequest(c, { path: ProviderSlotPath, body: ReportInvalidBody });
    const { last_error: lastError, activated_at: activatedAt } = body;
    const input = { ...path, lastError, activatedAt };
    const work = (idempotency?: Idempotency) =>
      reportInvalidCredential(deps, c.var.caller, { ...input, idempotency });
    return c.json(presentProviderSlot(await idempotent(c, deps, work, "transactional")));
  });

  return app;
}
