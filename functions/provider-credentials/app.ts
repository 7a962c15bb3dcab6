import type { Hono } from "hono";
import { providerCredentialOperations } from "../../shared/contract/operations/provider-credential-operations.ts";
import { deleteProviderCredential } from "../../shared/domain/provider/delete-provider-credential.ts";
import type { ProviderCredentialStore } from "../../shared/domain/provider/provider-credential-store.ts";
import {
  getProviderCredential,
  listProviderCredentials,
} from "../../shared/domain/provider/read-provider-credentials.ts";
import { reportInvalidCredential } from "../../shared/domain/provider/report-invalid-credential.ts";
import { setProviderCredential } from "../../shared/domain/provider/set-provider-credential.ts";
import {
  type ValidateProviderCredentialDeps,
  validateProviderCredential,
} from "../../shared/domain/provider/validate-provider-credential.ts";
import type { SecretStore } from "../../shared/domain/secret-store.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentProviderSlot } from "./present-provider-slot.ts";
import { readKey } from "./read-key.ts";

export interface ProviderCredentialsDeps
  extends HttpDeps,
    Pick<ValidateProviderCredentialDeps, "keyChecker"> {
  readonly providerCredentials: ProviderCredentialStore;
  readonly secrets: SecretStore;
}

export function createProviderCredentialsApp(deps: ProviderCredentialsDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  serveOperations(app, deps, providerCredentialOperations, {
    listProviderCredentials: async ({ caller }) =>
      (await listProviderCredentials(deps, caller)).map(presentProviderSlot),
    getProviderCredential: async ({ caller, path }) =>
      presentProviderSlot(await getProviderCredential(deps, caller, path)),
    setProviderCredential: async ({ caller, path, body, idempotent }) => {
      const input = readKey(path.slot, body);
      return presentProviderSlot(
        await idempotent((idempotency) => setProviderCredential(deps, caller, input, idempotency)),
      );
    },
    deleteProviderCredential: async ({ caller, path, idempotent }) =>
      presentProviderSlot(
        await idempotent((idempotency) => deleteProviderCredential(deps, caller, path, idempotency)),
      ),
    validateProviderCredential: async ({ caller, path, idempotent }) =>
      presentProviderSlot(
        await idempotent((idempotency) => validateProviderCredential(deps, caller, path, idempotency)),
      ),
    reportInvalidProviderCredential: async ({ caller, path, body, idempotent }) => {
      const input = { ...path, lastError: body.last_error, activatedAt: body.activated_at };
      return presentProviderSlot(
        await idempotent((idempotency) => reportInvalidCredential(deps, caller, input, idempotency)),
      );
    },
  });
  return app;
}
