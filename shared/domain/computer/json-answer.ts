import { jsonDepthMax } from "../../vocabulary/json.ts";
import { DomainError } from "../errors.ts";
import type { FileStore } from "../file-store.ts";
import { isObject, isTooDeep } from "../json.ts";
import type { DriverReply } from "../tunnel/driver-channel.ts";

/** A driver's JSON answer, inline while small; otherwise an object that the bucket keeps for the record's 24 hours. */
export type JsonAnswer =
  | { readonly kind: "inline"; readonly json: unknown }
  | { readonly kind: "stored"; readonly key: string };

/**
 * A Lambda's response is at most 6 MB; the rest is room for headers.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const jsonAnswerBytesMax = 5_900_000;

export function jsonAnswer(reply: DriverReply): JsonAnswer {
  if (reply.kind === "stored") return { kind: "stored", key: reply.key };
  return { kind: "inline", json: parseJson(reply.body) };
}

/** @throws {DomainError} `driver_failed` when it is not JSON, or `answer_too_large`. */
export async function readJsonAnswer(
  files: FileStore,
  answer: JsonAnswer,
  bytesMax = jsonAnswerBytesMax,
): Promise<unknown> {
  if (answer.kind === "inline") return answer.json;
  const bytes = await files.get(answer.key, bytesMax);
  if (!bytes) throw new DomainError("driver_failed", "the driver's response is no longer in the bucket");
  return parseJson(bytes);
}

/** Accepts a desktop's own server, too: `entries` for `items`, seconds since 1970 for a timestamp. */
export function readGenerously(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { modified } = given;
  const at = typeof modified === "number" ? new Date(modified * 1_000) : undefined;
  const dated =
    at === undefined || Number.isNaN(at.getTime()) ? given : { ...given, modified: at.toISOString() };
  const { entries, ...others } = dated;
  const items = others.items ?? entries;
  return Array.isArray(items) ? { ...others, items: items.map(readGenerously) } : dated;
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new DomainError("driver_failed", "the machine's driver returned something that is not JSON", {
      cause,
    });
  }
  if (!isTooDeep(json)) return json;
  throw new DomainError(
    "driver_failed",
    `the machine's driver returned JSON of more than ${jsonDepthMax} levels`,
  );
}
