import { describeError } from "../../../shared/log/describe-error.ts";
import { testEncryption } from "../fakes/fake-data-key.ts";
import { textOfItem } from "../stack/canaries.ts";
import type { ExecutionWorld } from "./execution-world.ts";

type Kept = Pick<ExecutionWorld, "files" | "engines" | "logger" | "model" | "organizationId">;

/**
 * Everything that is or was stored for a run: objects, the decrypted conversation, every version of every row, durable
 * records, lines of the log.
 */
export async function keptOf(world: Kept): Promise<string> {
  const { files, engines, logger, model } = world;
  const objects = await Promise.all(files.keys().map(async (key) => await readObject(world, key)));
  const lines = logger.lines.map(({ message, fields: { cause, ...fields } }) => [
    message,
    fields,
    cause && describeError(cause),
  ]);
  return [
    ...objects,
    JSON.stringify([engines.map(({ operations }) => operations), lines, model.takeRecords().map(textOfItem)]),
  ].join("\n");
}

async function readObject({ files, organizationId }: Kept, key: string): Promise<string> {
  const object = (await files.get(key, 24_000_000)) ?? new Uint8Array();
  const place = { organizationId, purpose: "conversation", pk: key, sk: "" } as const;
  const isTurn = key.includes("-turn-");
  return Buffer.from(isTurn ? await testEncryption.decrypt(place, object) : object).toString("latin1");
}
