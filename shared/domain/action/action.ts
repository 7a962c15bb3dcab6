import type { Json } from "../json.ts";
import type { Point, Shift } from "../picture/picture.ts";

interface Described {
  /** What is acted on, in a few words. */
  readonly target?: string | undefined;
}

/** Coordinates are pixels of the recorded display. */
export type PointingAction = Described &
  (
    | {
        readonly type: "click" | "move" | "scroll";
        readonly x?: number | undefined;
        readonly y?: number | undefined;
        readonly [field: string]: Json | undefined;
      }
    | {
        readonly type: "drag";
        readonly start_x: number;
        readonly start_y: number;
        readonly to_x: number;
        readonly to_y: number;
        readonly [field: string]: Json | undefined;
      }
  );

/** `text` names inputs as `{name}`, secrets as `{$alias}` (in `type` only) and saved values as `{name}`. */
export type KeyboardAction = Described & {
  readonly type: "type" | "key";
  readonly text: string;
  readonly down?: boolean | undefined;
};

export type SavingAction = Described & { readonly save_as: string } & (
    | { readonly type: "copy_to_clipboard" }
    | { readonly type: "read_file"; readonly path: string }
    | { readonly type: "shell"; readonly command: string }
  );

/** `program` is one of the machine's own list; it names inputs as a text does. */
export type OpenAction = Described & {
  readonly type: "open";
  readonly program: string;
  readonly if_open: "use" | "restart";
};

/** One step in the vocabulary that trajectories and models share. */
export type Action =
  | PointingAction
  | KeyboardAction
  | OpenAction
  | SavingAction
  | (Described & { readonly type: "wait"; readonly seconds: number })
  | (Described & { readonly type: "screenshot" })
  | (Described & { readonly type: "write_file"; readonly path: string; readonly content: string })
  | (Described & {
      readonly type: "read";
      readonly question: string;
      readonly schema?: Json | undefined;
      readonly save_as: string;
    })
  | (Described & { readonly type: "finish"; readonly output?: Json | undefined })
  | (Described & { readonly type: "fail"; readonly reason: string });

export type ActionType = Action["type"];

const pointing: ReadonlySet<ActionType> = new Set(["click", "move", "drag", "scroll"]);

export function isPointing(action: Action): action is PointingAction {
  return pointing.has(action.type);
}

export function isKeyboard(action: Action): action is KeyboardAction {
  return action.type === "type" || action.type === "key";
}

const textFields: ReadonlySet<string> = new Set(["text", "program", "path", "content", "command"]);

/** Whether values are filled in in that field; the text of a `key` names keys. */
export function isFilledIn({ type }: { readonly type?: unknown }, field: string): boolean {
  return type !== "key" && textFields.has(field);
}

/** Where it points; undefined for one at the pointer's own place. */
export function pointOf(action: PointingAction): Point | undefined {
  if (action.type === "drag") return { x: action.start_x, y: action.start_y };
  const { x, y } = action;
  return x === undefined || y === undefined ? undefined : { x, y };
}

/** With its points elsewhere. */
export function movedAction(action: PointingAction, { dx, dy }: Shift): PointingAction {
  const coordinates = Object.entries(action).map(([field, value]) => {
    if (typeof value !== "number") return [field, value];
    return [field, value + (xFields.has(field) ? dx : yFields.has(field) ? dy : 0)];
  });
  return Object.fromEntries(coordinates) as PointingAction;
}

const xFields: ReadonlySet<string> = new Set(["x", "start_x", "to_x"]);
const yFields: ReadonlySet<string> = new Set(["y", "start_y", "to_y"]);
