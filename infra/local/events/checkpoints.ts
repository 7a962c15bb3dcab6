import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { asObject, type JsonObject, optionalString } from "../template/json.ts";

/** The last sequence number that each event source has handled in each shard. */
export type Checkpoints = {
  readonly find: (source: string, shardId: string) => string | undefined;
  readonly set: (source: string, shardId: string, sequenceNumber: string) => void;
  /** Writes the changes. */
  readonly save: () => void;
};

/** @param file where they outlive the stack; without it they are in memory. */
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
