import { placeholdersIn } from "../../vocabulary/placeholders.ts";
import { type Action, isKeyboard, isPointing, pointOf } from "../action/action.ts";
import { changedParts, distance, isMoreThanCaret, movingParts } from "../picture/changes.ts";
import type { Anchor } from "../picture/find-anchor.ts";
import { inkWithin } from "../picture/ink.ts";
import {
  crop,
  frameOf,
  grown,
  isSameSize,
  type Picture,
  type Point,
  type Rectangle,
  reversed,
  shifted,
} from "../picture/picture.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { type LastChange, lastPieces } from "./last-screen.ts";

/** Several changes are kept, because a selection to be copied is removed again. Each is a whole picture. */
const changesMax = 3;
const looksMax = 4;
/** A copied text without a visible selection is assumed to have this size, in pixels. */
const copiedSize = { width: 320, height: 48 } as const;
/** A copied text may be longer in another run. */
const copiedMargin = { width: 64, height: 8 } as const;

interface SeenStep {
  readonly step: RunStep;
  readonly element: TrajectoryElement | undefined;
  readonly before: Picture | undefined;
  readonly after: Picture | undefined;
}

export class Ending {
  #changes: LastChange[] = [];
  readonly #looks: Picture[] = [];
  readonly #masks: Rectangle[] = [];
  readonly #copied: Rectangle[] = [];
  readonly #values: Picture[] = [];
  #selected: Selected | undefined;

  replayed(element: TrajectoryElement): void {
    this.#mask(element);
    // A replayed step has no pictures here, so earlier changes say nothing about the screen after it.
    this.#changes = [];
    this.#selected = undefined;
  }

  saw({ step, element, before, after }: SeenStep): void {
    if (after !== undefined) this.#look(after);
    this.#note(step);
    if (element === undefined || isReading(step)) return;
    const { action } = element;
    if (!isPointing(action) && !isKeyboard(action)) return;
    const point = isPointing(action) ? pointOf(action) : undefined;
    const near = point ?? middleOf(element.changed ?? element.guard);
    const parts = before && after ? changedParts(before, after, this.#masks).filter(isMoreThanCaret) : [];
    const part = nearest(parts, near);
    if (isOwnText(action) && part !== undefined && after !== undefined) this.#keepLook(after, part);
    this.#mask(element);
    const selected = part ?? (point && aroundPoint(point));
    if (selected !== undefined) this.#selected = { part: selected, before };
    if (before === undefined || parts.length === 0) return;
    const isPointed = point !== undefined;
    this.#changes = [...this.#changes, { before, near, isPointed }].slice(-changesMax);
  }

  /** Only the last change shows the end. Copied, secret and moving parts are left out. */
  pieces(
    last: Picture,
    { trail: { painted, movedBy } }: RunStep,
    isInTime: () => boolean,
  ): readonly Anchor[] {
    const secret = painted.map((part) => shifted(frameOf(part), reversed(movedBy)));
    const moving = this.#looks.length < looksMax ? [] : movingParts(this.#looks);
    const avoided = [...secret, ...this.#copied, ...moving];
    const change = this.#changes.at(-1);
    const options = { masks: this.#masks, avoided, values: this.#values, isInTime };
    return change === undefined ? [] : lastPieces(last, change, options);
  }

  #look(screen: Picture): void {
    const [last] = this.#looks;
    if (last !== undefined && !isSameSize(last, screen)) this.#looks.length = 0;
    this.#looks.push(screen);
    if (this.#looks.length > looksMax) this.#looks.shift();
  }

  /** A value that a step reads differs from run to run, so the screen around it is no evidence of the end. */
  #note(step: RunStep): void {
    if (!isReading(step)) return;
    const selected = step.action.type === "copy_to_clipboard" ? this.#selected : undefined;
    if (selected === undefined) {
      this.#changes = [];
      return;
    }
    const { part, before } = selected;
    this.#copied.push(withMargin(part));
    if (before === undefined) return;
    this.#keepLook(before, part);
    // A selection is not part of the outcome.
    this.#changes = this.#changes.filter((change) => change.before !== before);
  }

  #keepLook(screen: Picture, part: Rectangle): void {
    const text = inkWithin(screen, part);
    if (text === undefined || text.width < valueSizeMin || text.height > valueHeightMax) return;
    this.#values.push(crop(screen, text));
  }

  #mask({ action, changed, guard }: TrajectoryElement): void {
    const part = changed ?? guard;
    if (part === undefined || !isOwnText(action)) return;
    this.#masks.push(frameOf(part));
  }
}

interface Selected {
  readonly part: Rectangle;
  readonly before: Picture | undefined;
}

const valueSizeMin = 12;
const valueHeightMax = 40;

function isOwnText(action: Action): boolean {
  return action.type === "type" && placeholdersIn(action.text).length > 0;
}

function isReading({ action: { type } }: RunStep): boolean {
  return type === "copy_to_clipboard" || type === "read";
}

function nearest(parts: readonly Rectangle[], point: Point | undefined): Rectangle | undefined {
  if (point === undefined) return parts[0];
  return parts.toSorted((a, b) => distance(a, point) - distance(b, point))[0];
}

function aroundPoint({ x, y }: Point): Rectangle {
  return { x: x - copiedSize.width / 2, y: y - copiedSize.height / 2, ...copiedSize };
}

function withMargin(part: Rectangle): Rectangle {
  return grown(part, Math.max(part.width, copiedMargin.width), copiedMargin.height);
}

function middleOf(part: Rectangle | undefined): Point | undefined {
  return part && { x: part.x + Math.floor(part.width / 2), y: part.y + Math.floor(part.height / 2) };
}
