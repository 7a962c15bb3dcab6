import {
  DescribeSecretCommand,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { expect, it } from "vitest";
import { restoreNamedSecrets } from "../../../infra/restore/named-secrets.ts";

it("brings back secrets that were deleted since, leaves the others, and names those that are gone", async () => {
  const deleted = new Map<string, Date | undefined>([
    ["there", undefined],
    ["deleted", new Date()],
  ]);
  const client = {
    send: async (command: unknown) => {
      if (!(command instanceof DescribeSecretCommand) && !(command instanceof RestoreSecretCommand)) {
        throw new Error("neither describes nor restores");
      }
      const name = command.input.SecretId ?? "";
      if (!deleted.has(name)) throw new ResourceNotFoundException({ message: "gone", $metadata: {} });
      if (command instanceof RestoreSecretCommand) deleted.set(name, undefined);
      return { DeletedDate: deleted.get(name) };
    },
  } as unknown as SecretsManagerClient;
  expect(await restoreNamedSecrets(client, ["there", "deleted", "gone"])).toEqual({
    restored: 1,
    gone: ["gone"],
  });
  expect([...deleted.values()]).toEqual([undefined, undefined]);
});
