import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { clientSettings } from "./client-settings.ts";

/** Region, credentials and endpoint come from the environment that Lambda gives. */
export function createSecretsManagerClient(): SecretsManagerClient {
  return new SecretsManagerClient(clientSettings);
}
