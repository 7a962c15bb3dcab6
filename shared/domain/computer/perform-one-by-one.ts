import { type DesktopActionType, pictureBytesMax } from "../../vocabulary/drivers.ts";
import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import { DomainError } from "../errors.ts";
import { callDriver, type DriverCall, driverCallTimeoutMs, uncertainErrors } from "../tunnel/call-driver.ts";
import { driverWordsOf } from "../tunnel/driver-words.ts";
import type { ActionResult, BatchAction } from "./batch.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { jsonBody } from "./forward-action.ts";
import { type JsonAnswer, jsonAnswer, readJsonAnswer } from "./json-answer.ts";
import { type CaptureScreenInput, captureScreen } from "./take-screenshot.ts";

const operationOf: Readonly<Record<DesktopActionType, string>> = {
  click: "input/mouse/click",
  move: "input/mouse/move",
  drag: "input/mouse/drag",
  scroll: "input/mouse/scroll",
  type: "input/keyboard/type",
  key: "input/keyboard/key",
  open: "programs/open",
  copy_to_clipboard: "copy_to_clipboard",
};

/** A driver's answer inside messages is at most this large, and an idempotency record stores no more. */
const inlineBytesMax = 60_000;

type Call = Pick<DriverCall, "machine" | "isOrganizationBusy" | "idempotency">;

/** Performs a batch on a driver without batches. A repeat queries each action, whose id derives from the batch's. */
export async function performOneByOne(
  deps: ComputerDeps,
  call: Call,
  actions: readonly BatchAction[],
  screen: CaptureScreenInput | undefined,
): Promise<JsonAnswer> {
  const endsAtMs = deps.clock.now() + driverCallTimeoutMs;
  const leftMs = () => Math.max(0, endsAtMs - deps.clock.now());
  const results: ActionResult[] = [];
  let hasActed = false;
  let hasFailed = false;
  for (const [index, action] of actions.entries()) {
    const { type } = action;
    if (hasFailed) {
      results.push({ type, status: "skipped" });
      continue;
    }
    try {
      const answer = await perform(deps, callOf(call, index), action, leftMs());
      results.push({ type, status: "done", ...(answer !== undefined && { answer }) });
      hasActed ||= type !== "wait";
    } catch (error) {
      const repeat = call.idempotency?.repeat ?? false;
      if (!(error instanceof DomainError) || !isOfOneAction(error, hasActed, repeat)) throw error;
      results.push({ type, status: "failed", error: driverWordsOf(error) });
      hasFailed = true;
    }
  }
  const screenshot = screen && (await picture(deps, call, { ...screen, timeoutMs: leftMs() }));
  return await keep(deps, call, { results, ...(screenshot !== undefined && { screenshot }) });
}

function callOf(call: Call, index: number): Call {
  const { idempotency } = call;
  return { ...call, idempotency: idempotency && { ...idempotency, id: `${idempotency.id}-${index}` } };
}

async function perform(
  deps: ComputerDeps,
  call: Call,
  action: BatchAction,
  timeoutMs: number,
): Promise<ActionResult["answer"]> {
  if (action.type === "wait") {
    // A repeat only queries the outcome.
    if (call.idempotency?.repeat !== true) await deps.clock.sleep(action.seconds * 1_000);
    return undefined;
  }
  const { type, ...body } = action;
  if (timeoutMs === 0) {
    throw new DomainError("driver_timeout", "the batch's time was over; nothing was done", {
      nothingDone: true,
    });
  }
  const reply = await callDriver(deps, {
    ...call,
    method: "POST",
    path: `/computer/${operationOf[type]}`,
    ...jsonBody(body),
    largeResponse: type === "copy_to_clipboard",
    timeoutMs,
  });
  if (type !== "copy_to_clipboard") return undefined;
  // `readBatch` validates the value.
  return (await readJsonAnswer(deps.files, jsonAnswer(reply))) as ActionResult["answer"];
}

/** These errors concern the action itself, whatever the outcome of the actions before it. */
const ofTheDesktop: ReadonlySet<ErrorCode> = new Set([
  "driver_rejected",
  "driver_failed",
  "not_supported_by_driver",
  "answer_too_large",
]);

/** An error before any action refuses the batch; while the outcome is open, a repeat must be able to query it. */
function isOfOneAction(error: DomainError, hasActed: boolean, repeat: boolean): boolean {
  if (ofTheDesktop.has(error.code)) return true;
  if (!hasActed) return false;
  return repeat ? error.code === "outcome_unknown" : error.nothingDone || !uncertainErrors.has(error.code);
}

/** A missing picture must not hide the actions' outcome. */
async function picture(deps: ComputerDeps, call: Call, input: CaptureScreenInput) {
  try {
    const { idempotency: _, ...desktop } = call;
    const { png, isSettled } = await captureScreen(deps, desktop, { ...input, bytesMax: pictureBytesMax });
    return { settled: isSettled ?? false, png: Buffer.from(png).toString("base64") };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** The result has the form in which a driver with batches answers. */
async function keep(deps: ComputerDeps, call: Call, json: object): Promise<JsonAnswer> {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  if (bytes.byteLength <= inlineBytesMax) return { kind: "inline", json };
  const key = deps.files.tunnelKey(call.machine.organizationId, deps.ids.uuid7());
  await deps.files.put(key, bytes, "application/json");
  return { kind: "stored", key };
}
