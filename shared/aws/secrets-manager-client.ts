import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

/** Region, credentials and endpoint come from the environment that Lambda gives. */
export function createSecretsManagerClient(): SecretsManagerClient {
  return metered("secretsmanager", new SecretsManagerClient(clientSettings));
}
