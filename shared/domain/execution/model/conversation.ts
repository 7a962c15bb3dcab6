import type { ModelCall } from "../../model/language-models.ts";
import type { ExecutionJob, ModelCursor } from "../execution.ts";
import type { ExecutorDeps } from "../executor-deps.ts";
import type { Invocation } from "../step/invocation.ts";
import type { ConversationMemory, Exchange } from "./exchange.ts";

const memories = new WeakMap<Invocation, ConversationMemory>();

export function memoryOf(invocation: Invocation): ConversationMemory {
  const known = memories.get(invocation);
  if (known !== undefined) return known;
  const memory = { exchanges: new Map(), lastStep: undefined, sent: new Map(), images: new Map() };
  memories.set(invocation, memory);
  return memory;
}

const exchangeBytesMax = 24_000_000;

function placeOf({ files }: ExecutorDeps, { organizationId, runId, assignmentId }: ExecutionJob, at: number) {
  const key = files.stepKey(organizationId, runId, `${assignmentId}-turn-${at}`);
  return { key, place: { organizationId, purpose: "conversation", pk: key, sk: "" } as const };
}

export async function findExchange(invocation: Invocation, at: number): Promise<Exchange | undefined> {
  const { exchanges } = memoryOf(invocation);
  const known = exchanges.get(at);
  if (known !== undefined) return known;
  const { deps, job } = invocation;
  const { key, place } = placeOf(deps, job, at);
  const encrypted = await deps.files.get(key, exchangeBytesMax);
  if (encrypted === undefined) return undefined;
  const plain = await deps.encryption.decrypt(place, encrypted);
  // Only this service writes there, so that the content needs no check.
  const exchange = JSON.parse(new TextDecoder().decode(plain)) as Exchange;
  exchanges.set(at, exchange);
  return exchange;
}

export async function getExchange(invocation: Invocation, at: number): Promise<Exchange> {
  const exchange = await findExchange(invocation, at);
  if (exchange === undefined) throw new Error("a reply that is on record is not in the bucket");
  return exchange;
}

export async function keepExchange(invocation: Invocation, at: number, exchange: Exchange): Promise<void> {
  const { deps, job } = invocation;
  const { key, place } = placeOf(deps, job, at);
  const plain = new TextEncoder().encode(JSON.stringify(exchange));
  await deps.files.put(key, await deps.encryption.encrypt(place, plain), "application/octet-stream");
  memoryOf(invocation).exchanges.set(at, exchange);
}

export async function readConversation(
  invocation: Invocation,
  { from, turn }: Pick<ModelCursor, "from" | "turn">,
): Promise<readonly Exchange[]> {
  const turns = Array.from({ length: Math.max(0, turn - from + 1) }, (_, at) => from + at);
  return await Promise.all(turns.map((at) => getExchange(invocation, at)));
}

export function callsOf({ reply }: Exchange): readonly ModelCall[] {
  return reply.kind === "replied" ? reply.calls : [];
}
