import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { bounded } from "./bounded.ts";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

export function createSecretsManagerClient(): SecretsManagerClient {
  return metered("secretsmanager", bounded(new SecretsManagerClient(clientSettings)));
}
