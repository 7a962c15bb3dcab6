import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { SetProviderCredentialBody } from "../../shared/contract/provider-credential.ts";
import type { ProviderKey } from "../../shared/domain/model/provider-key.ts";
import { isBeingDeleted } from "../../shared/secrets/is-being-deleted.ts";
import { platformKeyName } from "../../shared/secrets/platform-keys.ts";
import { authTypesOf, type ProviderSlot, providerSlots } from "../../shared/vocabulary/providers.ts";
import type { KeysCommand } from "./key-arguments.ts";
import type { KeysOutput } from "./run-keys.ts";

type PlatformCommand = Extract<KeysCommand, { readonly kind: "platform" }>;

/** Setting a key again undoes a removal within these days. */
const recoveryDays = 7;

/**
 * Others on the machine can read arguments, so the key is given by standard input.
 *
 * @throws {Error} one sentence, which repeats nothing of the key.
 */
export async function runPlatformKeys(
  client: Pick<SecretsManagerClient, "send">,
  { action, deployment }: PlatformCommand,
  given: () => Promise<string>,
): Promise<KeysOutput> {
  switch (action.kind) {
    case "set": {
      const { slot } = action;
      const key = parseKey(slot, await given());
      await writeSecret(client, platformKeyName(deployment, slot), JSON.stringify(key));
      return {
        out: [`the platform's own key of ${slot} is set (${key.authType})`],
        err: ["Runs go by it within five minutes; a setting bounds what an organization may use of it."],
      };
    }
    case "remove": {
      const command = new DeleteSecretCommand({
        SecretId: platformKeyName(deployment, action.slot),
        RecoveryWindowInDays: recoveryDays,
      });
      await client.send(command).catch((error: unknown) => {
        if (error instanceof ResourceNotFoundException || isBeingDeleted(error)) {
          throw new Error(`the platform has no key of ${action.slot}`);
        }
        throw error;
      });
      return {
        out: [`the platform's own key of ${action.slot} is removed`],
        err: ["Runs go by it for five minutes more; revoke it at the provider, too."],
      };
    }
    case "list":
      return {
        out: await Promise.all(providerSlots.map((slot) => lineOf(client, deployment, slot))),
        err: [],
      };
  }
}

/** The text is a key alone, a service account's file, or the body of the slot's PUT. */
function parseKey(slot: ProviderSlot, text: string): ProviderKey {
  const trimmed = text.trim();
  if (trimmed === "") throw new Error("standard input has no key; give it there: npm run keys -- … < FILE");
  const parsed = SetProviderCredentialBody.safeParse(bodyOf(trimmed));
  const allowed = authTypesOf[slot];
  if (!parsed.success || !allowed.includes(parsed.data.auth_type)) {
    throw new Error(`what standard input has is no key of ${slot}, which takes ${allowed.join(" or ")}`);
  }
  const { data } = parsed;
  switch (data.auth_type) {
    case "api_key":
      return { authType: data.auth_type, apiKey: data.api_key };
    case "service_account_json":
      return { authType: data.auth_type, serviceAccountJson: data.service_account_json.text };
    case "aws_bedrock_api_key":
      return { authType: data.auth_type, apiKey: data.api_key, awsRegion: data.aws_region };
    case "aws_iam":
      return {
        authType: data.auth_type,
        accessKeyId: data.access_key_id,
        secretAccessKey: data.secret_access_key,
        awsRegion: data.aws_region,
      };
  }
}

function bodyOf(text: string): unknown {
  if (!text.startsWith("{")) return { auth_type: "api_key", api_key: text };
  try {
    const value: unknown = JSON.parse(text);
    const isFile = typeof value === "object" && value !== null && "private_key" in value;
    return isFile ? { auth_type: "service_account_json", service_account_json: text } : value;
  } catch {
    return undefined;
  }
}

async function writeSecret(
  client: Pick<SecretsManagerClient, "send">,
  name: string,
  text: string,
): Promise<void> {
  const put = () => client.send(new PutSecretValueCommand({ SecretId: name, SecretString: text }));
  try {
    await put();
  } catch (error) {
    if (error instanceof ResourceNotFoundException) {
      await client.send(new CreateSecretCommand({ Name: name, SecretString: text }));
    } else if (isBeingDeleted(error)) {
      await client.send(new RestoreSecretCommand({ SecretId: name }));
      await put();
    } else throw error;
  }
}

async function lineOf(
  client: Pick<SecretsManagerClient, "send">,
  deployment: string,
  slot: ProviderSlot,
): Promise<string> {
  const command = new DescribeSecretCommand({ SecretId: platformKeyName(deployment, slot) });
  const found = await client.send(command).catch((error: unknown) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (found === undefined || found.DeletedDate !== undefined) return `${slot}\tnone`;
  return `${slot}\tset ${found.LastChangedDate?.toISOString() ?? ""}`.trimEnd();
}
