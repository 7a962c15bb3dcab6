import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { operationOfAction, WaitAction } from "../../../shared/contract/computer/actions.ts";
import { BatchBody } from "../../../shared/contract/computer/computer-batch.ts";
import { type ActionStatus, copiedBytesMax, pictureBytesMax } from "../../../shared/vocabulary/drivers.ts";
import { jsonAnswer, Refusal, reasonOf } from "../answer.ts";
import type { Screenshot } from "../screens/screen.ts";
import { type InputOf, operationOf, type Route, serveRaw } from "./desktop-operations.ts";
import { parseInput, readJson } from "./read-input.ts";
import type { Turn } from "./turn.ts";

/** The rest of a call's 25 s is for the screenshot and its way to the service. */
const actionsMsMax = 20_000;

/** Each action is parsed when its turn comes: a newer service may send a type that this driver does not know. */
const Envelope = z.object({
  ...BatchBody.shape,
  actions: z.array(z.looseObject({ type: z.string() })),
});
type GivenAction = z.infer<typeof Envelope>["actions"][number];
type Look = Pick<InputOf<"takeScreenshot">, "settle_ms" | "cursor">;

type ActionType = keyof typeof operationOfAction;
type ActionOperation = (typeof operationOfAction)[ActionType];

export interface BatchScreen {
  /** Resolves with the result of `copyToClipboard` only. */
  act<Id extends ActionOperation>(id: Id, input: InputOf<Id>, signal: AbortSignal): Promise<unknown>;
  show(look: Look, signal: AbortSignal): Promise<Screenshot>;
}

interface Result {
  readonly type: string;
  readonly status: ActionStatus;
  readonly error?: string;
  readonly answer?: unknown;
}

export function createBatchRoute(screen: BatchScreen, inTurn: Turn): Route {
  return serveRaw("performBatch", async (request) => {
    const batch = await readJson(request, Envelope);
    const look = { settle_ms: batch.settle_ms, cursor: batch.cursor };
    return await inTurn(async () => {
      request.signal.throwIfAborted();
      const results = await performAll(screen, batch.actions, request.signal);
      if (!batch.screenshot) return jsonAnswer(200, { results });
      const brief = jsonAnswer(200, { results, screenshot: null });
      const shown = await show(screen, look, request.signal);
      return shown === null ? brief : { ...jsonAnswer(200, { results, screenshot: shown }), brief };
    });
  });
}

async function performAll(
  screen: BatchScreen,
  actions: readonly GivenAction[],
  requestSignal: AbortSignal,
): Promise<readonly Result[]> {
  const signal = AbortSignal.any([requestSignal, AbortSignal.timeout(actionsMsMax)]);
  const results: Result[] = [];
  let copiedBytes = 0;
  let hasFailed = false;
  for (const action of actions) {
    const { type } = action;
    if (hasFailed) {
      results.push({ type, status: "skipped" });
      continue;
    }
    try {
      const answer = await perform(screen, action, signal);
      copiedBytes += answer === undefined ? 0 : Buffer.byteLength(JSON.stringify(answer));
      if (copiedBytes > copiedBytesMax) throw tooMuchCopied();
      results.push({ type, status: "done", ...(answer !== undefined && { answer }) });
    } catch (error) {
      results.push({ type, status: "failed", error: sentenceOf(error, signal) });
      hasFailed = true;
    }
  }
  return results;
}

async function perform(screen: BatchScreen, action: GivenAction, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted();
  if (action.type === "wait") {
    const { seconds } = parseInput(WaitAction, action, "action");
    await sleep(seconds * 1_000, undefined, { signal });
    return undefined;
  }
  if (!Object.hasOwn(operationOfAction, action.type)) {
    throw new Refusal(422, "invalid_input", `this driver does not know the action ${action.type}`);
  }
  const id = operationOfAction[action.type as ActionType];
  const body: z.ZodObject = operationOf(id).body;
  const answer = await screen.act(id, parseInput(body, action, "action") as never, signal);
  return id === "copyToClipboard" ? answer : undefined;
}

function tooMuchCopied(): Refusal {
  const sentence = `what was copied is larger than the ${copiedBytesMax} bytes that a batch answers: copy it with copy_to_clipboard`;
  return new Refusal(413, "too_large", sentence);
}

function sentenceOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof Refusal) return error.message;
  return signal.aborted ? "the batch's time was over before this was done" : reasonOf(error);
}

/** A failure is null, because it must not hide the results of the actions. */
async function show(screen: BatchScreen, look: Look, signal: AbortSignal) {
  try {
    const { png, isSettled } = await screen.show(look, signal);
    if (png.byteLength > pictureBytesMax) return null;
    return { settled: isSettled && look.settle_ms > 0, png: Buffer.from(png).toString("base64") };
  } catch {
    return null;
  }
}
