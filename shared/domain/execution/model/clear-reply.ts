import { isObject, type Json } from "../../json.ts";
import type { SecretValues } from "../../secret-store.ts";
import { redact, redactJson } from "../step/redact.ts";
import type { Exchange } from "./exchange.ts";

/** Texts by which a reply is read. */
const wordsOfFormat: ReadonlySet<string> = new Set([
  ...["type", "kind", "role", "provider", "model", "toolName", "toolCallId", "callId"],
]);

/** Removes secrets' values that a model has seen from its reply, before it is kept or sent again. */
export function clearReply(reply: Exchange["reply"], secrets: SecretValues): Exchange["reply"] {
  const cleared = redactJson(reply, secrets, wordsOfFormat);
  if (reply.kind !== "replied" || cleared.kind !== "replied") return cleared;
  const { turn } = reply;
  if (!Array.isArray(turn.content)) return cleared;
  const parts = (turn.content as readonly Json[]).filter((part) => isObject(part));
  const content = parts.map(({ providerOptions, ...part }) => ({
    ...redactJson(part, secrets, wordsOfFormat),
    // Ids, signatures, encrypted thinking: a short secret is in them by chance, and changed they would be refused.
    ...(providerOptions !== undefined && { providerOptions }),
  }));
  // Thinking cannot be changed below its signature.
  const inWords = parts.some(
    ({ type, text }) => type === "reasoning" && typeof text === "string" && redact(text, secrets) !== text,
  );
  return { ...cleared, turn: { ...turn, content, ...(inWords && { inWords }) } };
}
