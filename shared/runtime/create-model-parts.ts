import type { ModelDeps } from "../domain/execution/executor-deps.ts";
import type { FileStore } from "../domain/file-store.ts";
import { createChooseModels } from "../domain/model-selection/choose-models.ts";
import { ownProviderKeys, type ProviderKeysDeps } from "../domain/provider/own-provider-keys.ts";
import { LazyLanguageModels } from "../models/lazy-language-models.ts";
import {
  SecretsManagerPlatformKeys,
  type SecretsManagerPlatformKeysOptions,
} from "../secrets/platform-keys.ts";
import { DynamoModelConfigurationStore } from "../storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoPlatformTokenStore } from "../storage/provider/dynamo-platform-token-store.ts";
import { DynamoProviderCredentialStore } from "../storage/provider/dynamo-provider-credential-store.ts";
import type { DynamoTable } from "../storage/table/dynamo-table.ts";
import type { Environment } from "./environment.ts";

export const modelVariables = ["PLATFORM_TOKENS_PER_DAY", "MODEL_ENDPOINTS"] as const;

export interface ModelPartsOptions extends Pick<ProviderKeysDeps, "secrets" | "logger" | "clock"> {
  readonly env: Environment<(typeof modelVariables)[number] | "DEPLOYMENT">;
  readonly table: DynamoTable;
  readonly secretsClient: SecretsManagerPlatformKeysOptions["client"];
  readonly files: FileStore;
}

export function createModelParts(options: ModelPartsOptions): ModelDeps {
  const { env, table, secretsClient: client, files, secrets, logger, clock } = options;
  const { googleToken: tokenUrl, ...baseUrls } = env.MODEL_ENDPOINTS;
  const stored = { table, clock };
  return {
    languageModels: new LazyLanguageModels({ baseUrls, googleCloud: { tokenUrl } }),
    providerKeys: ownProviderKeys({
      providerCredentials: new DynamoProviderCredentialStore(stored),
      platformKeys: new SecretsManagerPlatformKeys({ client, deployment: env.DEPLOYMENT, clock }),
      platformTokens: new DynamoPlatformTokenStore(stored),
      platformTokensPerDay: env.PLATFORM_TOKENS_PER_DAY,
      secrets,
      logger,
      clock,
    }),
    choose: createChooseModels({ files, modelConfigurations: new DynamoModelConfigurationStore(stored) }),
  };
}
