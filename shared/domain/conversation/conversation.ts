import { isObject, type Json } from "../json.ts";
import type { ModelCall, ModelReply } from "../model/language-models.ts";
import type { FoundKey, NoKey } from "../model/provider-key.ts";
import type { Rectangle, Size } from "../picture/picture.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { SecretValues } from "../secret-store.ts";
import { redact, redactJson } from "../secrets/redact.ts";
import type { ModelCursor } from "./conversation-cursor.ts";
import type { ConversingRun } from "./conversing-run.ts";

export interface KeptPicture {
  readonly key: string;
  readonly part: Rectangle | null;
}

export interface KeptResult {
  readonly callId: string;
  readonly toolName: string;
  readonly isError: boolean;
  readonly text: string;
  readonly picture: KeptPicture | null;
}

export type Told =
  | { readonly role: "user"; readonly text: string; readonly picture: KeptPicture | null }
  | { readonly role: "results"; readonly results: readonly KeptResult[] };

export interface Exchange {
  readonly told: readonly Told[];
  readonly reply: Extract<ModelReply, { readonly kind: "replied" | "refused" | "cut_off" }>;
  /** The size of the last whole picture, as sent and as taken. */
  readonly sent: Size;
  readonly screen: Size;
}

interface KeyAhead {
  readonly choice: number;
  readonly atMs: number;
  readonly found: Promise<FoundKey | NoKey | undefined>;
}

/** All of the memory can be read again. */
export interface ConversationMemory {
  readonly exchanges: Map<number, Exchange>;
  lastStep: RunStep | undefined;
  key?: KeyAhead;
  readonly sent: Map<string, Size & { readonly png: Uint8Array }>;
  readonly images: Map<string, Uint8Array>;
}

const memories = new WeakMap<ConversingRun, ConversationMemory>();

export function memoryOf(run: ConversingRun): ConversationMemory {
  const known = memories.get(run);
  if (known !== undefined) return known;
  const memory = { exchanges: new Map(), lastStep: undefined, sent: new Map(), images: new Map() };
  memories.set(run, memory);
  return memory;
}

const exchangeBytesMax = 24_000_000;

function placeOf({ deps, job }: ConversingRun, at: number) {
  const { organizationId, runId, assignmentId } = job;
  const key = deps.files.stepKey(organizationId, runId, `${assignmentId}-turn-${at}`);
  return { key, place: { organizationId, purpose: "conversation", pk: key, sk: "" } as const };
}

export async function findExchange(run: ConversingRun, at: number): Promise<Exchange | undefined> {
  const { exchanges } = memoryOf(run);
  const known = exchanges.get(at);
  if (known !== undefined) return known;
  const { deps } = run;
  const { key, place } = placeOf(run, at);
  const encrypted = await deps.files.get(key, exchangeBytesMax);
  if (encrypted === undefined) return undefined;
  const plain = await deps.encryption.decrypt(place, encrypted);
  // Only this service writes there, so that the content needs no check.
  const exchange = JSON.parse(new TextDecoder().decode(plain)) as Exchange;
  exchanges.set(at, exchange);
  return exchange;
}

export async function getExchange(run: ConversingRun, at: number): Promise<Exchange> {
  const exchange = await findExchange(run, at);
  if (exchange === undefined) throw new Error("a reply that is on record is not in the bucket");
  return exchange;
}

export async function keepExchange(run: ConversingRun, at: number, exchange: Exchange): Promise<void> {
  const { deps } = run;
  const { key, place } = placeOf(run, at);
  const plain = new TextEncoder().encode(JSON.stringify(exchange));
  await deps.files.put(key, await deps.encryption.encrypt(place, plain), "application/octet-stream");
  memoryOf(run).exchanges.set(at, exchange);
}

export async function readConversation(
  run: ConversingRun,
  { from, turn }: Pick<ModelCursor, "from" | "turn">,
): Promise<readonly Exchange[]> {
  const turns = Array.from({ length: Math.max(0, turn - from + 1) }, (_, at) => from + at);
  return await Promise.all(turns.map((at) => getExchange(run, at)));
}

export function callsOf({ reply }: Exchange): readonly ModelCall[] {
  return reply.kind === "replied" ? reply.calls : [];
}

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
