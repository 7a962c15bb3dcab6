import type { ProviderSlot } from "../../vocabulary/providers.ts";
import { serviceCaller } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { FoundKey, NoKey, ProviderKey, ProviderKeys } from "../model/provider-key.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SecretStore, SecretValues } from "../secret-store.ts";
import { hasPlatformBudget, type PlatformBudgetDeps, spendPlatformTokens } from "./platform-budget.ts";
import type { ProviderCredential } from "./provider-credential.ts";
import { reportInvalidCredential } from "./report-invalid-credential.ts";
import type { ChangeProviderCredentialDeps } from "./set-provider-credential.ts";

/** The keys that the operator has set, for slots that an organization never configured. */
export interface PlatformKeys {
  find(slot: ProviderSlot): Promise<ProviderKey | undefined>;
}

export interface ProviderKeysDeps
  extends Pick<ChangeProviderCredentialDeps, "providerCredentials" | "secrets" | "clock" | "logger">,
    PlatformBudgetDeps {
  readonly platformKeys: PlatformKeys;
}

const errorCharsMax = 1_000;

export function ownProviderKeys(deps: ProviderKeysDeps): ProviderKeys {
  const secrets = new LastSecret(deps.secrets);
  return {
    find: async (organizationId, slot) => await findOwnKey({ ...deps, secrets }, organizationId, slot),
    spend: async (organizationId, { isPlatform }, usage) => {
      if (isPlatform) await spendPlatformTokens(deps, organizationId, usage);
    },
    reportInvalid: async ({ organizationId, runId }, found, error) => {
      const { slot, isPlatform, activatedAt } = found;
      const text = error.slice(0, errorCharsMax);
      if (isPlatform) {
        // An alarm counts errors in the log, because the organization can do nothing about this one.
        deps.logger.error("a provider refuses the platform's own key", { slot, provider_error: text });
        return;
      }
      try {
        const input = { slot, lastError: text, activatedAt: activatedAt ?? undefined };
        await reportInvalidCredential(deps, serviceCaller(organizationId, runId), input);
      } catch (refusal) {
        // The key was replaced or deleted since, so the refusal says nothing about the new one.
        if (refusal instanceof DomainError && isOvertaken(refusal)) return;
        throw refusal;
      }
    },
  };
}

function isOvertaken({ code }: DomainError): boolean {
  return code === "conflict" || code === "not_found";
}

/** A run needs one slot's key many times. A secret never changes, so a new key has a secret of another name. */
class LastSecret {
  readonly #secrets: Pick<SecretStore, "read">;
  #last: { readonly name: string; readonly values: SecretValues } | undefined;

  constructor(secrets: Pick<SecretStore, "read">) {
    this.#secrets = secrets;
  }

  async read(name: string): Promise<SecretValues | undefined> {
    if (this.#last?.name === name) return this.#last.values;
    const values = await this.#secrets.read(name);
    this.#last = values && { name, values };
    return values;
  }
}

async function findOwnKey(
  deps: Omit<ProviderKeysDeps, "secrets"> & { readonly secrets: LastSecret },
  organizationId: OrganizationId,
  slot: ProviderSlot,
): Promise<FoundKey | NoKey> {
  const credential = await deps.providerCredentials.find(organizationId, slot);
  if (credential === undefined) return await platformKey(deps, organizationId, slot);
  if (credential.status === "invalid") return "provider_key_invalid";
  const { secretName, activatedAt } = credential;
  const values = secretName === null ? undefined : await deps.secrets.read(secretName);
  const key = values && providerKeyOf(credential, values);
  if (key === undefined) return "provider_key_missing";
  return { slot, isPlatform: false, key, activatedAt };
}

async function platformKey(
  deps: Omit<ProviderKeysDeps, "secrets">,
  organizationId: OrganizationId,
  slot: ProviderSlot,
): Promise<FoundKey | NoKey> {
  const key = deps.platformTokensPerDay === 0 ? undefined : await deps.platformKeys.find(slot);
  if (key === undefined) return "provider_key_missing";
  const mayCall = await hasPlatformBudget(deps, organizationId);
  return mayCall ? { slot, isPlatform: true, key, activatedAt: null } : "platform_budget_reached";
}

export function providerKeyOf(
  { authType, metadata: { awsRegion } }: ProviderCredential,
  values: SecretValues,
): ProviderKey | undefined {
  const { api_key: apiKey, service_account_json: serviceAccountJson } = values;
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = values;
  switch (authType) {
    case "api_key":
      return apiKey === undefined ? undefined : { authType, apiKey };
    case "service_account_json":
      return serviceAccountJson === undefined ? undefined : { authType, serviceAccountJson };
    case "aws_bedrock_api_key":
      return apiKey === undefined || awsRegion === null ? undefined : { authType, apiKey, awsRegion };
    case "aws_iam":
      return accessKeyId === undefined || secretAccessKey === undefined || awsRegion === null
        ? undefined
        : { authType, accessKeyId, secretAccessKey, awsRegion };
    case null:
      return undefined;
  }
}
