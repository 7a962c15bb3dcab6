import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { asObject, type JsonObject, optionalString } from "../template/json.ts";

export type Checkpoints = {
  readonly find: (source: string, shardId: string) => string | undefined;
  readonly set: (source: string, shardId: string, sequenceNumber: string) => void;
  readonly save: () => void;
};

/** Without a file, checkpoints are in memory. */
export function createCheckpoints(file: string | undefined): Checkpoints {
  const read: unknown = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const known = new Map(Object.entries(asObject(read as JsonObject)));
  let isSaved = true;
  return {
    find: (source, shardId) => optionalString(known.get(`${source} ${shardId}`)),
    set: (source, shardId, sequenceNumber) => {
      known.set(`${source} ${shardId}`, sequenceNumber);
      isSaved = false;
    },
    save: () => {
      if (isSaved || file === undefined) return;
      writeFileSync(file, JSON.stringify(Object.fromEntries(known)));
      isSaved = true;
    },
  };
}
