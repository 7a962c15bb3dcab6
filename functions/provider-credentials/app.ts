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
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { presentProviderSlot, presentValidated } from "./present-provider-slot.ts";
import { readKey } from "./read-key.ts";

export interface ProviderCredentialsDeps
  extends HttpDeps,
    Pick<ValidateProviderCredentialDeps, "keyChecker"> {
  readonly providerCredentials: ProviderCredentialStore;
  readonly secrets: SecretStore;
}

export function createProviderCredentialsApp(deps: ProviderCredentialsDeps): Hono<HttpEnv> {
  return createCallersApp(deps, providerCredentialOperations, {
    listProviderCredentials: async ({ caller }) =>
      (await listProviderCredentials(deps, caller)).map(presentProviderSlot),
    getProviderCredential: async ({ caller, path }) =>
      presentProviderSlot(await getProviderCredential(deps, caller, path)),
    setProviderCredential: async ({ path, body, write }) =>
      presentProviderSlot(await write(setProviderCredential, readKey(path.slot, body))),
    deleteProviderCredential: async ({ path, write }) =>
      presentProviderSlot(await write(deleteProviderCredential, path)),
    validateProviderCredential: async ({ path, write }) =>
      presentValidated(await write(validateProviderCredential, path)),
    reportInvalidProviderCredential: async ({ path, body, write }) => {
      const input = { ...path, lastError: body.last_error, activatedAt: body.activated_at };
      return presentProviderSlot(await write(reportInvalidCredential, input));
    },
  });
}
