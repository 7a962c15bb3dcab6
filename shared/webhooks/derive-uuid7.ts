import { createHash } from "node:crypto";
import { v7 } from "uuid";

export function deriveUuid7(atMs: number, text: string): string {
  const random = createHash("sha256").update(text, "utf8").digest().subarray(0, 16);
  return v7({ msecs: atMs, random, seq: random.readUInt32BE(12) });
}
