import { DomainError } from "../errors.ts";
import type { FileStore } from "../file-store.ts";
import type { DriverReply } from "../tunnel/call-driver.ts";

/**
 * A driver's JSON answer as it goes on record under an Idempotency-Key: itself while small, else where it lies in
 * the bucket, which keeps it for the 24 hours of the record.
 */
export type JsonAnswer =
  | { readonly kind: "inline"; readonly json: unknown }
  | { readonly kind: "stored"; readonly key: string };

/**
 * A Lambda answers at most 6 MB; the rest is room for headers.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const jsonAnswerBytesMax = 5_900_000;

export function jsonAnswer(reply: DriverReply): JsonAnswer {
  if (reply.kind === "stored") return { kind: "stored", key: reply.key };
  return { kind: "inline", json: parseJson(reply.body) };
}

/** @throws {DomainError} `driver_failed` when it is no JSON, `answer_too_large`. */
export async function readJsonAnswer(files: FileStore, answer: JsonAnswer): Promise<unknown> {
  if (answer.kind === "inline") return answer.json;
  const bytes = await files.get(answer.key, jsonAnswerBytesMax);
  if (!bytes) throw new DomainError("driver_failed", "the driver's response is no longer in the bucket");
  return parseJson(bytes);
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new DomainError("driver_failed", "the machine's driver returned something that is not JSON", {
      cause,
    });
  }
}
