import { isObject, type Json } from "../../json.ts";
import type { SecretValues } from "../../secret-store.ts";
import { redact, redactJson } from "../../secrets/redact.ts";
import type { Exchange } from "./exchange.ts";

const wordsOfFormat: ReadonlySet<string> = new Set([
  ...["type", "kind", "role", "provider", "model", "toolName", "toolCallId", "callId"],
]);

export function clearReply(reply: Exchange["reply"], secrets: SecretValues): Exchange["reply"] {
  const cleared = redactJson(reply, secrets, wordsOfFormat);
  if (reply.kind !== "replied" || cleared.kind !== "replied") return cleared;
  const { turn } = reply;
  if (!Array.isArray(turn.content)) return cleared;
  const parts = (turn.content as readonly Json[]).filter((part) => isObject(part));
  const content = parts.map(({ providerOptions, ...part }) => ({
    ...redactJson(part, secrets, wordsOfFormat),
    // Ids, signatures and encrypted thinking may match a short secret by chance, and would be refused if changed.
    ...(providerOptions !== undefined && { providerOptions }),
  }));
  // Signed thinking cannot be changed.
  const inWords = parts.some(
    ({ type, text }) => type === "reasoning" && typeof text === "string" && redact(text, secrets) !== text,
  );
  return { ...cleared, turn: { ...turn, content, ...(inWords && { inWords }) } };
}
