import { pictureBytesMax } from "../../vocabulary/drivers.ts";
import { elementTimeoutMsMax } from "../../vocabulary/trajectories.ts";
import { findKind, isKeyboard, isPointing, pointOf } from "../action/action.ts";
import type { Clock } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import type { Json, JsonObject } from "../json.ts";
import { changedRegion, guardSizeMax } from "../picture/changes.ts";
import { isSameSize, type Picture, type Rectangle } from "../picture/picture.ts";
import { type PictureCodec, pictureOf } from "../picture/picture-codec.ts";
import type { Plan } from "../plan/plan.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { fitsReset, mayBeLeftOut } from "../trajectory/approval/reset-problem.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { RecordedPiece, TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { Ending } from "./ending.ts";
import { differsFromStart } from "./last-screen.ts";
import { finishOf } from "./name-inputs.ts";
import { isReadOffScreen, type NamedAction, namedAction } from "./named-action.ts";
import { type PlacedScreen, placedScreen, stillCells } from "./placed-screen.ts";
import { recordElement, recordPiece, screenTimeoutMs, withCells } from "./record-element.ts";
import { PutInSteps, putInBefore, putInByRepairs, startRepairs } from "./repair-steps.ts";

export interface RecordedSteps {
  readonly elements: readonly TrajectoryElement[];
  readonly expect: readonly RecordedPiece[];
  readonly reset: readonly TrajectoryElement[];
  /** The number of steps to the start that cannot be part of a reset. */
  readonly resetLacks: number;
  readonly endsElsewhere: boolean;
  readonly dimensions: Trajectory["dimensions"];
}

export interface StepsToRecord {
  readonly steps: readonly RunStep[];
  readonly plan: Plan | undefined;
  readonly inputs: JsonObject;
  readonly isSuccess: boolean;
  readonly output: Json;
  readonly untilMs: number;
  /** Elements of a person's recording name the pictures that they were cut from. */
  readonly recordingId?: string;
}

interface RecordDeps {
  readonly pictures: PictureCodec;
  readonly files: Pick<FileStore, "get">;
  readonly clock: Pick<Clock, "now">;
}

export function dataOf(elements: readonly TrajectoryElement[]): readonly Json[] {
  const data = elements.map(({ timeoutMs, isFromScreen, screen, ...element }) => ({
    ...element,
    ...(screen && { screen: { recording_id: screen.recordingId, index: screen.index } }),
    ...(isFromScreen && { is_from_screen: true }),
    timeout_ms: timeoutMs,
  }));
  return data as unknown as readonly Json[];
}

/** Pieces are placed as if the window had stayed where it was recorded. Replayed steps stay as recorded. */
export async function recordSteps(
  deps: RecordDeps,
  { steps: all, plan, inputs, isSuccess, output, untilMs, recordingId }: StepsToRecord,
): Promise<RecordedSteps> {
  const steps = workOf(all);
  const ofStart = startRepairs(steps);
  const inTheWay = putInByRepairs(steps);
  const putIn = new PutInSteps(putInBefore(steps));
  const elements: TrajectoryElement[] = [];
  const toStart: TrajectoryElement[] = [];
  const replayed = new Set<number>();
  let before: PlacedScreen | undefined;
  let shownBy: RunStep | undefined;
  let changed: Rectangle | undefined;
  const ending = new Ending();
  let still: readonly boolean[] = [];
  let isWhole = true;
  let isReplayed = false;
  const isInTime = () => deps.clock.now() < untilMs;
  /** The model's wait extends the next element's time limit: a replay waits for its screen instead. */
  let waitedMs = 0;
  for (const step of steps) {
    if (step.trail.next?.kind === "model") {
      const screen = isInTime() ? await storedPicture(deps, step) : undefined;
      still = (screen && stillOf(deps, step, plan, screen)) ?? still;
      before = screen && placedScreen(screen, step.trail.movedBy, still);
      shownBy = undefined;
    }
    const unneeded = step.status === "skipped" ? recordedElement(step, plan) : undefined;
    if (unneeded !== undefined && !replayed.has(unneeded.at)) {
      elements.push(unneeded.element);
      replayed.add(unneeded.at);
    }
    if (step.status !== "done") continue;
    if (step.source === "reset") {
      [shownBy, before] = [step, undefined];
      continue;
    }
    const recorded = recordedElement(step, plan);
    if (recorded !== undefined) {
      // A long text takes several steps.
      if (!replayed.has(recorded.at)) {
        const { leftOut } = step.trail;
        const isPatched = leftOut !== undefined && isInTime();
        const seen = isPatched ? (before ?? (shownBy && (await screenOf(deps, shownBy, still)))) : undefined;
        elements.push(
          leftOut === undefined || seen === undefined
            ? recorded.element
            : withCells(deps.pictures, recorded.element, leftOut, seen.small),
        );
      }
      replayed.add(recorded.at);
      [shownBy, before] = [step, undefined];
      changed = changedNear(recorded.element);
      ending.replayed(recorded.element);
      isReplayed = true;
      continue;
    }
    isReplayed &&= step.source === "service";
    isWhole &&= step.source === "service";
    if (isInTime()) before = (await screenBefore(deps, step, still)) ?? before;
    if (before === undefined && shownBy !== undefined && isInTime())
      before = await screenOf(deps, shownBy, still);
    shownBy = undefined;
    const action = isWork(step) ? namedAction(step, inputs) : undefined;
    const after = isInTime() ? await screenOf(deps, step, still) : undefined;
    const compared = before && after && isSameSize(before.picture, after.picture) ? after.picture : undefined;
    const seen = { before: isInTime() ? before : undefined, after: compared, changed };
    const element = action && elementOf(deps, action, seen);
    ending.saw({ step, element, before: before?.picture, after: compared });
    if (element !== undefined) {
      const list = ofStart.has(step) ? toStart : elements;
      list.push({
        ...element,
        ...(inTheWay.has(step) && mayBeLeftOut(element) && { optional: true }),
        ...(isReadOffScreen(step, element.action, plan) && { isFromScreen: true }),
        ...(recordingId !== undefined &&
          before?.index !== undefined && { screen: { recordingId, index: before.index } }),
        timeoutMs: Math.min(elementTimeoutMsMax, element.timeoutMs + waitedMs),
      });
      putIn.recorded(deps.pictures, list, { step, before: seen.before });
      waitedMs = 0;
    } else if (step.source === "model" && typeof step.action.seconds === "number") {
      waitedMs += step.action.seconds * 1_000;
    }
    const near = action !== undefined && isPointing(action.action) ? pointOf(action.action) : undefined;
    if (before && compared) changed = changedRegion(before.picture, compared, { near }) ?? changed;
    if (after !== undefined || !leavesScreen(step)) before = after;
  }
  const shown = isSuccess && isInTime() ? steps.findLast(({ screenshot }) => screenshot !== null) : undefined;
  const beside = {
    ...resetOf(plan?.trajectoryId ? (plan.trajectory.reset ?? []) : [], toStart),
    endsElsewhere: differsFromStart(deps.pictures, elements[0], shown && (await storedPicture(deps, shown))),
  };
  if (plan !== undefined && (isWhole || isReplayed) && isSuccess) {
    const { expect, dimensions } = plan.trajectory;
    return { elements, expect, dimensions, ...beside };
  }
  const ended = elements.at(-1)?.action.type;
  if (isSuccess && ended !== "finish") elements.push(finishOf(output, inputs));
  const last = before?.picture;
  const size = last && { width: last.width, height: last.height };
  const done = steps.findLast(({ status }) => status === "done");
  const pieces = isSuccess && last && done ? ending.pieces(last, done, isInTime) : [];
  return {
    ...beside,
    elements,
    expect: pieces.map((piece) => recordPiece(deps.pictures, piece)),
    dimensions: size ?? plan?.trajectory.dimensions ?? null,
  };
}

/** A part larger than a guard is replaced by the point. */
function changedNear({ action, changed }: TrajectoryElement): Rectangle | undefined {
  const point = isPointing(action) ? pointOf(action) : undefined;
  const isLarge =
    changed !== undefined && (changed.width > guardSizeMax.width || changed.height > guardSizeMax.height);
  return isLarge && point !== undefined ? { ...point, width: 1, height: 1 } : changed;
}

/** The first round of a verification, and the way back after the last step, are left out. */
function workOf(steps: readonly RunStep[]): readonly RunStep[] {
  const from = steps.findLastIndex(({ trail }) => trail.next?.kind === "round") + 1;
  const to = steps.findLastIndex(({ source }) => source !== "reset") + 1;
  return steps.slice(from, to);
}

const resetMax = 20;

/** The model's last steps to the start follow those that had not helped. */
function resetOf(
  known: readonly TrajectoryElement[],
  toStart: readonly TrajectoryElement[],
): Pick<RecordedSteps, "reset" | "resetLacks"> {
  const fitting = toStart.filter(fitsReset);
  const added = known.length + fitting.length > resetMax ? [] : fitting;
  return { reset: [...known, ...added], resetLacks: toStart.length - added.length };
}

/**
 * Steps of the service recur in each run; a model's `finish` is in the output, its waits in later elements. Of its
 * questions, what the person did is elements.
 */
function isWork({ source, action: { type } }: RunStep): boolean {
  if (source !== "model") return source !== "service";
  return type !== "finish" && type !== "wait" && type !== "ask_person";
}

function leavesScreen({ source, action: { type } }: RunStep): boolean {
  const stays = type === "list_files" || findKind(type)?.screen === "stays";
  return stays || (source === "service" && type !== "screenshot");
}

/** A replayed step, or one that each run leaves to a model, stays as it is in the plan. */
function recordedElement(
  { source, trail }: RunStep,
  plan: Plan | undefined,
): { readonly at: number; readonly element: TrajectoryElement } | undefined {
  if ((source !== "replay" && source !== "model") || trail.element === null) return undefined;
  const element = plan?.trajectory.elements[trail.element];
  return element && { at: trail.element, element };
}

interface SeenStep {
  readonly before: PlacedScreen | undefined;
  readonly after: Picture | undefined;
  readonly changed: Rectangle | undefined;
}

function elementOf(
  { pictures }: RecordDeps,
  { action, isOfInput }: NamedAction,
  { before, after, changed }: SeenStep,
): TrajectoryElement {
  const isSeen = isPointing(action) || isKeyboard(action);
  const bare = { action, by: "replay", timeoutMs: screenTimeoutMs } as const;
  if (!isSeen) return bare;
  // Other inputs make it another target.
  if (isOfInput && isPointing(action)) return { ...bare, by: "model" };
  if (before === undefined)
    return isPointing(action) && pointOf(action) === undefined ? bare : { ...bare, by: "model" };
  const { picture, small } = before;
  const element = recordElement(pictures, { action, before: picture, small, changed, after });
  const isUnseen = !isPointing(action) && element.guard === undefined;
  return isUnseen ? { ...element, by: "model" } : element;
}

async function screenOf(
  deps: RecordDeps,
  step: RunStep,
  still: readonly boolean[],
): Promise<PlacedScreen | undefined> {
  const picture = await storedPicture(deps, step);
  return picture && { ...placedScreen(picture, step.trail.movedBy, still), index: step.index };
}

/** A person acts on a screen that may have changed since the step before. */
async function screenBefore(
  deps: RecordDeps,
  { trail: { beforeKey, movedBy } }: RunStep,
  still: readonly boolean[],
): Promise<PlacedScreen | undefined> {
  const picture = beforeKey === undefined ? undefined : await pictureAt(deps, beforeKey);
  return picture && placedScreen(picture, movedBy, still);
}

async function storedPicture(
  deps: RecordDeps,
  { pictureKey, screenshot }: RunStep,
): Promise<Picture | undefined> {
  return pictureKey === null || screenshot === null ? undefined : await pictureAt(deps, pictureKey);
}

async function pictureAt({ files, pictures }: RecordDeps, key: string): Promise<Picture | undefined> {
  const png = await files.get(key, pictureBytesMax);
  return png && pictures.decode(png);
}

function stillOf(
  { pictures }: RecordDeps,
  { trail: { movedBy, element } }: RunStep,
  plan: Plan | undefined,
  screen: Picture,
): readonly boolean[] | undefined {
  const { anchor, guard } = plan?.trajectory.elements[element ?? -1] ?? {};
  const { thumbnail } = anchor ?? guard ?? {};
  if (thumbnail === undefined) return undefined;
  return stillCells(pictureOf(pictures, thumbnail), screen, movedBy);
}
