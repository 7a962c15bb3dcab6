import {
  DescribeSecretCommand,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { forEachBounded } from "../../shared/domain/bounded-parallel.ts";

export interface NamedSecrets {
  readonly restored: number;
  /** The values of these secrets must be set again. */
  readonly gone: readonly string[];
}

export async function restoreNamedSecrets(
  client: Pick<SecretsManagerClient, "send">,
  names: Iterable<string>,
): Promise<NamedSecrets> {
  let restored = 0;
  const gone: string[] = [];
  await forEachBounded([...names], async (SecretId) => {
    try {
      const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId }));
      if (DeletedDate === undefined) return;
      await client.send(new RestoreSecretCommand({ SecretId }));
      restored += 1;
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      gone.push(SecretId);
    }
  });
  return { restored, gone: gone.sort() };
}
