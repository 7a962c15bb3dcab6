import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { SecretStore } from "../secret-store.ts";
import { writeSecret } from "../secrets/own-secret.ts";
import type { WebhookDeps } from "./webhook-deps.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";

export type SigningSecrets = { readonly secret: string; readonly previous?: string };

/** An attempt that has taken over reads the secret that the previous one has written. */
export async function writeSigningSecret(
  deps: WebhookDeps,
  of: Pick<WebhookEndpoint, "organizationId" | "id"> & { readonly leased: Idempotency | undefined },
  previous?: string,
): Promise<{ readonly secretName: string; readonly values: SigningSecrets }> {
  const { organizationId, id: endpointId, leased } = of;
  const id = leased?.ids[1] ?? deps.ids.uuid7();
  const owner = { kind: "webhook", id: endpointId } as const;
  const secretName = deps.secrets.secretName(organizationId, owner, id);
  const known = leased?.repeat ? await readSigningSecrets(deps, secretName) : undefined;
  if (known) return { secretName, values: known };
  const values = { secret: deps.mintSigningSecret(), ...(previous !== undefined && { previous }) };
  await writeSecret(deps, { organizationId, owner, id }, values);
  return { secretName, values };
}

export async function readSigningSecrets(
  { secrets }: { readonly secrets: Pick<SecretStore, "read"> },
  secretName: string,
): Promise<SigningSecrets | undefined> {
  // Only `writeSigningSecret` writes the value.
  return (await secrets.read(secretName)) as SigningSecrets | undefined;
}

/** Returns the secret again for a repeated request. @throws {DomainError} `conflict` when it was replaced since */
export async function revealSecret(
  deps: { readonly secrets: Pick<SecretStore, "read"> },
  { id, secretName }: Pick<WebhookEndpoint, "id" | "secretName">,
): Promise<string> {
  const values = await readSigningSecrets(deps, secretName);
  if (values) return values.secret;
  throw new DomainError(
    "conflict",
    `the secret that the first request made was replaced since; rotate that of the endpoint ${id} for another one`,
  );
}

/** Includes the previous secret while it is valid. @throws {Error} when it was replaced since the endpoint was read */
export async function secretsInUse(
  deps: { readonly secrets: Pick<SecretStore, "read">; readonly clock: Pick<Clock, "now"> },
  { secretName, previousSecretUntil }: WebhookEndpoint,
): Promise<readonly string[]> {
  const values = await readSigningSecrets(deps, secretName);
  if (values === undefined) throw new Error("the endpoint's secret is there no more");
  const { secret, previous } = values;
  const isGood = previousSecretUntil !== null && Date.parse(previousSecretUntil) > deps.clock.now();
  return previous !== undefined && isGood ? [secret, previous] : [secret];
}
