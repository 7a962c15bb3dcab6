import { textFields } from "./element-view.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** An element under an id of its own, so that it stays itself when it is moved or changed. */
export interface EditedElement {
  readonly id: number;
  readonly value: unknown;
}

export function editedOf(data: readonly unknown[]): readonly EditedElement[] {
  return data.map((value, id) => ({ id, value }));
}

export function dataOf(elements: readonly EditedElement[]): readonly unknown[] {
  return elements.map(({ value }) => value);
}

/** Puts an element at another place; a place outside is the nearest one. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  if (item === undefined) return items;
  const others = items.toSpliced(from, 1);
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, item);
}

export function changedElement(
  elements: readonly EditedElement[],
  id: number,
  value: unknown,
): readonly EditedElement[] {
  return elements.map((each) => (each.id === id ? { id, value } : each));
}

/** An action's fields that are undefined are removed. */
export function withAction(element: JsonObject, changes: JsonObject): JsonObject {
  const action = { ...(element.action as JsonObject), ...changes };
  return {
    ...element,
    action: Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined)),
  };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Another place to click. The service cuts the piece there from the kept picture; without that picture the recorded piece
 * stays, and the place has to be on it.
 *
 * @returns undefined for a place of which there is no picture.
 */
export function retargeted(element: JsonObject, { x, y }: Point): JsonObject | undefined {
  const { type } = element.action as JsonObject;
  const place = type === "drag" ? { start_x: x, start_y: y } : { x, y };
  if (element.screen !== undefined) {
    const { anchor: _anchor, guard: _guard, ...rest } = element;
    return withAction(rest, place);
  }
  const piece = element.anchor as JsonObject | undefined;
  if (piece === undefined) return undefined;
  const [left, top] = [Number(piece.x), Number(piece.y)];
  const isOnPiece = x >= left && y >= top && x < left + Number(piece.width) && y < top + Number(piece.height);
  return isOnPiece ? withAction(element, place) : undefined;
}

/** The text, or the part of it that is selected, becomes the name of an input. */
export function withInput(
  element: JsonObject,
  name: string,
  selected?: { readonly from: number; readonly to: number },
): JsonObject {
  const action = element.action as JsonObject;
  const field = textFields[String(action.type)] ?? "text";
  const text = String(action[field] ?? "");
  const part =
    selected !== undefined && selected.to > selected.from ? selected : { from: 0, to: text.length };
  const { is_from_screen: _isFromScreen, ...rest } = element;
  return withAction(rest, { [field]: `${text.slice(0, part.from)}{${name}}${text.slice(part.to)}` });
}

/** The recording's own value of an input that takes the place of a text. */
export function replacedText(
  element: JsonObject,
  selected?: { readonly from: number; readonly to: number },
): string {
  const action = element.action as JsonObject;
  const text = String(action[textFields[String(action.type)] ?? "text"] ?? "");
  return selected !== undefined && selected.to > selected.from
    ? text.slice(selected.from, selected.to)
    : text;
}

interface Item {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** The problems that the service found, by the element's place; `undefined` is what concerns none of them. */
export function problemsByElement(details: unknown): ReadonlyMap<number | undefined, readonly string[]> {
  const problems = new Map<number | undefined, readonly string[]>();
  if (!Array.isArray(details)) return problems;
  for (const { loc, msg } of details as readonly Item[]) {
    const [, field, place] = loc;
    const at = field === "trajectory_data" && typeof place === "number" ? place : undefined;
    problems.set(at, [...(problems.get(at) ?? []), msg]);
  }
  return problems;
}

/** Warnings name elements by their numbers, from 1: `element 3 …`, `elements 1, 2 and 4 …`. */
export function warnedPlaces(warning: string): readonly number[] {
  const [, numbers = ""] = /^elements? (\d+(?:(?:, | and )\d+)*)(?! of reset)/.exec(warning) ?? [];
  return (numbers.match(/\d+/g) ?? []).map((number) => Number(number) - 1);
}
