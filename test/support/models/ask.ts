import { onTestFinished } from "vitest";
import type {
  ConversationTurn,
  ModelReply,
  ModelRequest,
} from "../../../shared/domain/model/language-models.ts";
import { AiLanguageModels } from "../../../shared/models/ai-language-models.ts";
import { aPng } from "../pictures/a-png.ts";
import { type ProviderKind, type StartedProvider, startProvider } from "../providers/start-provider.ts";
import type { Decide, Decision } from "../providers/wire-format.ts";

const types = [
  "click",
  "move",
  "drag",
  "scroll",
  "type",
  "key",
  "open",
  "wait",
  "screenshot",
  "copy_to_clipboard",
  "read_file",
  "write_file",
  "shell",
  "read",
  "finish",
  "fail",
] as const;
const display = { width: 64, height: 40 };

export function aPicture(grey: number) {
  const bytes = Array.from({ length: display.width * display.height }, () => grey);
  return { ...display, png: aPng({ ...display, colorType: 0, bytes }) };
}

export const task: ConversationTurn = { role: "user", parts: ["press the button"], pictures: [aPicture(0)] };

export function aRequest(
  { provider, model, key }: StartedProvider,
  changes: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    choice: {
      provider,
      model,
      temperature: null,
      maxOutputTokens: null,
      timeoutSeconds: 60,
      additionalParams: {},
    },
    key,
    runId: "0f0c6f6e-5b0f-4a43-b3b1-1f1f7c1c9a55",
    system: "You operate a desktop. ".repeat(40),
    turns: [task],
    tools: { kind: "actions", types, programs: ["Orders"] },
    display,
    timeoutMs: 10_000,
    ...changes,
  };
}

export function replied(reply: ModelReply) {
  if (reply.kind !== "replied") throw new Error(JSON.stringify(reply));
  return reply;
}

export function failedWith(reply: ModelReply) {
  if (reply.kind !== "failed") throw new Error(JSON.stringify(reply));
  return reply;
}

export const click: Decision = { call: "click", args: { x: 12, y: 7, target: "the button" } };

export async function startDeciding(kind: ProviderKind, decide: Decide): Promise<StartedProvider> {
  const started = await startProvider(kind, decide);
  onTestFinished(() => started.server.stop());
  return started;
}

export async function start(kind: ProviderKind, ...decisions: readonly Decision[]) {
  const started = await startDeciding(kind, () => decisions);
  return { started, models: new AiLanguageModels(started.options) };
}
