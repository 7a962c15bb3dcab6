import { randomUUID } from "node:crypto";
import { invalidSecretRequest, secretExists, secretNotFound } from "./secret-errors.ts";
import type { PutSecretValueRequest } from "./secret-requests.ts";
import type { SecretVersion, StoredSecret } from "./secret-store.ts";

type SecretValue = Pick<PutSecretValueRequest, "SecretString" | "SecretBinary">;

/** @throws {AwsError} InvalidRequestException unless exactly one of string and binary is given. */
export function newVersion(
  value: SecretValue & Pick<PutSecretValueRequest, "ClientRequestToken">,
  stages: readonly string[],
  now: number,
): SecretVersion {
  if ((value.SecretString === undefined) === (value.SecretBinary === undefined)) {
    throw invalidSecretRequest("You must provide either SecretString or SecretBinary.");
  }
  return {
    versionId: value.ClientRequestToken ?? randomUUID(),
    ...(value.SecretString !== undefined && { secretString: value.SecretString }),
    ...(value.SecretBinary !== undefined && { secretBinary: value.SecretBinary }),
    createdAtMs: now,
    stages,
  };
}

/**
 * Repeating a token with the same value changes nothing.
 *
 * @throws {AwsError} ResourceExistsException when the token's version holds another value.
 */
export function withVersion(secret: StoredSecret, added: SecretVersion, now: number): StoredSecret {
  const same = secret.versions.find(({ versionId }) => versionId === added.versionId);
  if (same) {
    if (sameValue(same, added)) return secret;
    throw secretExists(
      `You can't use ClientRequestToken ${added.versionId} because that value is already in use for a version of secret ${secret.arn}.`,
    );
  }
  const current = added.stages.includes("AWSCURRENT");
  const versions = secret.versions.map((version) => {
    const wasCurrent = current && version.stages.includes("AWSCURRENT");
    const kept = version.stages.filter(
      (stage) => !added.stages.includes(stage) && !(current && stage === "AWSPREVIOUS"),
    );
    return { ...version, stages: wasCurrent ? [...kept, "AWSPREVIOUS"] : kept };
  });
  return { ...secret, changedAtMs: now, versions: [...versions, added] };
}

export function sameValue(a: SecretVersion, b: SecretVersion): boolean {
  return a.secretString === b.secretString && a.secretBinary === b.secretBinary;
}

/** @throws {AwsError} ResourceNotFoundException when there is no such version or stage. */
export function getVersion(
  secret: StoredSecret,
  wanted: { readonly VersionId?: string | undefined; readonly VersionStage?: string | undefined },
): SecretVersion {
  const stage = wanted.VersionStage ?? (wanted.VersionId === undefined ? "AWSCURRENT" : undefined);
  const version = secret.versions.find(
    ({ versionId, stages }) =>
      (wanted.VersionId === undefined || versionId === wanted.VersionId) &&
      (stage === undefined || stages.includes(stage)),
  );
  if (version) return version;
  const error = secretNotFound();
  error.message = `Secrets Manager can't find the specified secret value for ${
    stage === undefined ? `VersionId: ${wanted.VersionId}` : `staging label: ${stage}`
  }`;
  throw error;
}
