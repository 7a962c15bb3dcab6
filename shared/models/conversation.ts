import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { AssistantContent, FilePart, ModelMessage, TextPart, ToolResultPart } from "ai";
import type { Json } from "../domain/json.ts";
import type {
  CallResult,
  ConversationTurn,
  ModelPicture,
  ModelTurn,
} from "../domain/model/language-models.ts";
import type { ModelChoice } from "../domain/model/model-choice.ts";

/** The package's own content is kept unchanged, as the package requires. */
export function keepContent(content: AssistantContent): Json {
  return JSON.parse(
    JSON.stringify(typeof content === "string" ? [{ type: "text", text: content }] : content),
  ) as Json;
}

type Parts = readonly (TextPart | FilePart)[];

/**
 * A turn of another model becomes words, because item ids, signatures and thinking are its provider's own.
 *
 * @param cacheMark is put on the last message, so that the next call finds all before it in the provider's cache.
 */
export function messagesOf(
  turns: readonly ConversationTurn[],
  asked: Pick<ModelChoice, "provider" | "model">,
  cacheMark: SharedV4ProviderOptions | undefined,
): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let isForeign = false;
  const told = (parts: Parts) => {
    if (parts.length === 0) return;
    const last = messages.at(-1);
    // Some providers want the roles to alternate.
    if (last?.role === "user" && typeof last.content !== "string") last.content.push(...parts);
    else messages.push({ role: "user", content: [...parts] });
  };
  for (const turn of turns) {
    if (turn.role === "user") told([...userParts(turn), ...turn.pictures.map(filePart)]);
    else if (turn.role === "results") {
      if (isForeign) told(turn.results.flatMap(tellResult));
      else messages.push({ role: "tool", content: turn.results.map(resultPart) });
    } else {
      isForeign = turn.inWords === true || turn.provider !== asked.provider || turn.model !== asked.model;
      const content = contentOf(turn);
      if (isForeign) told(textParts(tellContent(content)));
      else if (content.length > 0) messages.push({ role: "assistant", content });
    }
  }
  const last = messages.at(-1);
  if (last !== undefined && cacheMark !== undefined) last.providerOptions = cacheMark;
  return messages;
}

type KeptPart = Exclude<AssistantContent, string>[number];

function contentOf(turn: ModelTurn): KeptPart[] {
  // `keepContent` wrote the value.
  return Array.isArray(turn.content) ? (turn.content as unknown as KeptPart[]) : [];
}

function tellContent(content: readonly KeptPart[]): string {
  const lines = content.flatMap((part) => {
    if (part.type === "text") return [part.text];
    return part.type === "tool-call" ? [`${part.toolName} ${JSON.stringify(part.input)}`] : [];
  });
  return lines.length === 0 ? "" : `Done before, by another model:\n${lines.join("\n")}`;
}

function tellResult({ toolName, isError, text, picture }: CallResult): Parts {
  const words = `What came of ${toolName}: ${isError ? "it failed: " : ""}${text}`;
  return [...textParts(words), ...(picture === undefined ? [] : [filePart(picture)])];
}

function resultPart({ callId, toolName, isError, text, picture }: CallResult): ToolResultPart {
  // This word is the only sign of an error in Bedrock's results.
  const words = `${isError ? "failed: " : ""}${text === "" ? "done" : text}`;
  const called = { type: "tool-result", toolCallId: callId, toolName } as const;
  if (picture === undefined)
    return { ...called, output: { type: isError ? "error-text" : "text", value: words } };
  const value = [...textParts(words), filePart(picture)];
  return { ...called, output: { type: "content", value } };
}

/** Some providers refuse an empty text. */
function textParts(text: string): TextPart[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function userParts({ parts }: Extract<ConversationTurn, { readonly role: "user" }>): Parts {
  return parts.flatMap(
    (part): Parts => (typeof part === "string" ? textParts(part) : [imagePart(part.bytes, part.contentType)]),
  );
}

function filePart({ png }: ModelPicture) {
  return imagePart(png, "image/png");
}

function imagePart(
  bytes: Uint8Array,
  mediaType: string,
): { type: "file"; data: { type: "data"; data: string }; mediaType: string } & Pick<
  FilePart,
  "providerOptions"
> {
  return {
    type: "file",
    data: { type: "data", data: base64Of(bytes) },
    mediaType,
    // Only OpenAI reads this: its lower detail is too coarse to click by.
    providerOptions: { openai: { imageDetail: "high" } },
  };
}

/** Each call sends its pictures again. */
const texts = new WeakMap<Uint8Array, string>();

function base64Of(bytes: Uint8Array): string {
  const known = texts.get(bytes);
  if (known !== undefined) return known;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  texts.set(bytes, text);
  return text;
}
