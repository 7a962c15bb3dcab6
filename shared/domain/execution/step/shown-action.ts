import type { Action } from "../../action/action.ts";
import type { JsonObject } from "../../json.ts";

export function shownAction(action: object): JsonObject {
  return Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined));
}

export function wordsFor(action: Action): string {
  const { type, target } = action;
  const what = action.type === "open" ? action.program : target;
  return what === undefined ? type : `${type} ${what}`;
}
