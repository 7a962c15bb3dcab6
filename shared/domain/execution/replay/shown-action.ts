import type { JsonObject } from "../../json.ts";
import type { Action } from "../../trajectory/action.ts";

/** As it is recorded, nothing filled in. */
export function shownAction(action: object): JsonObject {
  return Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined));
}

/** In a few words, for errors. */
export function wordsFor({ type, target }: Action): string {
  return target === undefined ? type : `${type} ${target}`;
}
