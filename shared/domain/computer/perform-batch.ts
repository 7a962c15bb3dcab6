import type { DriverCapability } from "../../vocabulary/drivers.ts";
import type { Caller } from "../access/caller.ts";
import type { Machine } from "../machine/machine.ts";
import { type ActionIdentity, callDriver, requireCallable, untilAllowed } from "../tunnel/call-driver.ts";
import { type BatchAction, batchAnswerBytesMax } from "./batch.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { jsonBody } from "./forward-action.ts";
import { type Desktop, getDesktop } from "./get-desktop.ts";
import { type JsonAnswer, jsonAnswer } from "./json-answer.ts";
import { performOneByOne } from "./perform-one-by-one.ts";
import type { CaptureScreenInput } from "./take-screenshot.ts";

const batches: DriverCapability = "computer/batch";

export interface BatchInput extends Pick<CaptureScreenInput, "settleMs" | "cursor" | "isReadAtOnce"> {
  readonly actions: readonly BatchAction[];
  readonly screenshot?: boolean;
  readonly allowed?: Promise<boolean> | undefined;
}

export interface PerformBatchInput extends BatchInput {
  readonly machineId: string;
}

/**
 * Does several actions in one call; the first that fails is the last that is tried. A driver that does not know batches
 * gets them one by one.
 *
 * @returns what `readBatch` reads, with the outcome of each action.
 * @throws {DomainError} as `callDriver`.
 */
export async function performBatch(
  deps: ComputerDeps,
  caller: Caller,
  input: PerformBatchInput,
  idempotency?: ActionIdentity,
): Promise<JsonAnswer> {
  return await performBatchOn(
    deps,
    await getDesktop(deps, caller, input.machineId, "act"),
    input,
    idempotency,
  );
}

export async function performBatchOn(
  deps: ComputerDeps,
  desktop: Desktop,
  input: BatchInput,
  idempotency?: ActionIdentity,
): Promise<JsonAnswer> {
  const { screenshot = false, settleMs = 0, cursor = false, allowed } = input;
  const actions = input.actions.map(({ target: _, ...action }) => action as BatchAction);
  const call = {
    ...desktop,
    needs: missingOf(desktop.machine, actions),
    idempotency,
    allowed,
  };
  requireCallable(deps, call);
  if (!call.machine.capabilities.includes(batches)) {
    await untilAllowed(allowed);
    const screen = screenshot ? { settleMs, cursor } : undefined;
    return await performOneByOne(deps, call, actions, screen);
  }
  const reply = await callDriver(deps, {
    ...call,
    method: "POST",
    path: `/${batches}`,
    ...jsonBody({ actions, screenshot, settle_ms: settleMs, cursor }),
    ...(input.isReadAtOnce === true && { readBytesMax: batchAnswerBytesMax }),
    largeResponse: screenshot || actions.some(({ type }) => type === "copy_to_clipboard"),
  });
  return jsonAnswer(reply);
}

function missingOf({ capabilities }: Machine, actions: readonly BatchAction[]): DriverCapability | undefined {
  const needed = [
    ...(actions.some(isKeyDown) ? ["keys_down" as const] : []),
    ...(actions.some(({ type }) => type === "open") ? ["open_program" as const] : []),
  ];
  return needed.find((name) => !capabilities.includes(name));
}

/** A driver without the capability ignores `down`, and would press and release. */
function isKeyDown(action: BatchAction): boolean {
  return action.type === "key" && "down" in action;
}
