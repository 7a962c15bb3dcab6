import { refusalText } from "../../desktop/became-of.ts";
import { failuresMax } from "../../durable/retrying-engine.ts";
import { DomainError } from "../../errors.ts";
import { UnreadablePicture } from "../../picture/picture-codec.ts";
import { type Failure, failure } from "../../run/run-ending.ts";
import type { Cursor } from "../execution.ts";
import { wrapUpFiles } from "../files/remove-files.ts";
import { RunHeld } from "../run-held.ts";
import { leaveDesktop } from "../start/leave-desktop.ts";
import type { Invocation } from "../step/invocation.ts";
import { inRound } from "../step/rounds.ts";
import { ends, next, type RecordedResult, type StepResult } from "../step/step-result.ts";
import { fitsStep, pauseSecondsLeft } from "../step/time-left.ts";
import { takePhase } from "./phases.ts";
import { heldSeconds } from "./stand-still.ts";

const failuresOfDesktopMax = 3;

/** A thrown error requests another try, until `tried.failures` is the last. */
export async function takeStep(
  invocation: Invocation,
  cursor: Cursor,
  tried: { readonly failures: number; readonly hasWaited: boolean },
): Promise<RecordedResult> {
  invocation.beginStep(cursor, tried);
  try {
    return await wrapUp(invocation, cursor, await takePhase(invocation, cursor));
  } catch (cause) {
    invocation.forgetScreen();
    if (cause instanceof RunHeld) {
      await invocation.releaseTry(cursor);
      invocation.endStep();
      return await heldAt(invocation, cursor);
    }
    const end = await endOfFailures(invocation, cursor, cause, tried.failures);
    if (end === undefined) throw cause;
    return await wrapUp(invocation, cursor, ends(cursor, end));
  }
}

async function heldAt(invocation: Invocation, cursor: Cursor): Promise<RecordedResult> {
  return { kind: "held", cursor, seconds: await heldSeconds(invocation.deps, invocation.job) };
}

/** Results must stay small, so the run's end is in only one place. */
async function wrapUp(invocation: Invocation, from: Cursor, taken: StepResult): Promise<RecordedResult> {
  const result = await leftForLater(invocation, from, taken);
  if (result.kind !== "end") return recorded(invocation, result);
  if (from.leave !== undefined) return recorded(invocation, await leaveDesktop(invocation, from, result));
  const end = from.files.end === null ? inRound(result.end, from) : result.end;
  const wrapped = await wrapUpFiles(invocation, from, { ...result, end });
  if (wrapped.kind !== "end") return recorded(invocation, wrapped);
  const cursor = { ...wrapped.cursor, files: { ...wrapped.cursor.files, end: null } };
  return recorded(invocation, await leaveDesktop(invocation, from, { ...wrapped, cursor }));
}

const pauseSeconds = 5;

/** The sweeper ends runs of disconnected machines earlier; this bounds one that is connected and does not respond. */
const awayMsMax = 300_000;

type Going = Exclude<StepResult, { readonly kind: "away" | "pauses" | "asked" }> | RecordedResult;

async function leftForLater(invocation: Invocation, from: Cursor, result: StepResult): Promise<Going> {
  if (result.kind === "asked") return await heldAt(invocation, result.cursor);
  if (result.kind !== "away" && result.kind !== "pauses") return result;
  const cursor = result.cursor ?? from;
  invocation.forgetScreen();
  await invocation.releaseTry(cursor);
  if (result.kind === "pauses") return { ...next(cursor), yields: true };
  const awayMs = cursor.awayMs + pauseSeconds * 1_000;
  if (awayMs <= awayMsMax) return next({ ...cursor, awayMs }, pauseSeconds);
  const error = `the machine could not be reached for ${awayMsMax / 60_000} minutes`;
  return ends(cursor, failure("machine_unavailable", error));
}

function recorded(invocation: Invocation, result: Going): RecordedResult {
  if (result.kind !== "next") {
    invocation.endStep();
    return result;
  }
  const { cursor, waitSeconds } = result;
  const most = cursor.files.end === null ? (pauseSecondsLeft(invocation, cursor) ?? 1) : waitSeconds;
  const isYielding = "yields" in result && result.yields;
  invocation.endStep();
  return {
    ...result,
    waitSeconds: Math.min(waitSeconds, most),
    yields: isYielding || !fitsStep(invocation),
  };
}

async function endOfFailures(
  invocation: Invocation,
  { index }: Cursor,
  cause: unknown,
  failures: number,
): Promise<Failure | undefined> {
  const words = cause instanceof UnreadablePicture ? cause.message : refusalText(cause);
  const isFinal = cause instanceof DomainError && cause.code === "not_supported_by_driver";
  if (words !== undefined && (isFinal || failures >= failuresOfDesktopMax)) {
    const said = await invocation.withoutSecrets(words);
    return failure("step_failed", `step ${index}: what the desktop answers cannot be used: ${said}`);
  }
  if (failures < failuresMax) return undefined;
  return failure("executor_failed", "the service could not go on with the run; retry it");
}
