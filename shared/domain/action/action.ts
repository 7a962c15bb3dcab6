import type { IfOpen } from "../../vocabulary/drivers.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Point, Shift } from "../picture/picture.ts";

interface Described {
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

/** Only a model asks: a trajectory has what the person did then, and not the question. */
interface AskPersonAction extends Described {
  readonly type: "ask_person";
  readonly question: string;
}

type SavingAction = Described & { readonly save_as: string } & (
    | { readonly type: "copy_to_clipboard" }
    | { readonly type: "read_file"; readonly path: string }
    | { readonly type: "shell"; readonly command: string }
  );

/** `program` is one of the machine's own list; it names inputs as a text does. */
export type OpenAction = Described & {
  readonly type: "open";
  readonly program: string;
  readonly if_open: IfOpen;
};

export type ReadAction = Described & {
  readonly type: "read";
  readonly question: string;
  readonly schema?: Json | undefined;
  readonly save_as: string;
};

export type Action =
  | PointingAction
  | KeyboardAction
  | OpenAction
  | SavingAction
  | (Described & { readonly type: "wait"; readonly seconds: number })
  | (Described & { readonly type: "screenshot" })
  | (Described & { readonly type: "write_file"; readonly path: string; readonly content: string })
  | ReadAction
  | AskPersonAction
  | (Described & { readonly type: "finish"; readonly output?: Json | undefined })
  | (Described & { readonly type: "fail"; readonly reason: string });

export type ActionType = Action["type"];

export interface ActionKind {
  /** The action is done by the desktop's input, its files and shell, the service, a model or a person, or it ends the run. */
  readonly doneBy: "input" | "system" | "service" | "model" | "person" | "end";
  /** The part that identifies a recorded screen: around the action's point, or the field that it types into. */
  readonly knownBy: "point" | "field" | null;
  /** The screen is another one afterwards, was only read, or stays as it was. */
  readonly screen: "changes" | "is_seen" | "stays";
  /** A retry of the run could make the change a second time. */
  readonly mayChange: boolean;
  /** If nobody knows whether the action was done, it is repeated, the screen decides, or the run ends. */
  readonly ifUnknown: "again" | "screen" | "end";
  readonly filledIn: readonly string[];
  readonly saves: boolean;
  readonly offered: "always" | "with_programs" | "with_shell" | "with_person";
  /** A model must name its target, because the recording relies on it. */
  readonly needsTarget: boolean;
  readonly words: string;
}

type Base = Omit<ActionKind, "words">;

const input: Base = {
  doneBy: "input",
  knownBy: null,
  screen: "changes",
  mayChange: true,
  ifUnknown: "screen",
  filledIn: [],
  saves: false,
  offered: "always",
  needsTarget: true,
};
const pointing: Base = { ...input, knownBy: "point" };
const keyboard: Base = { ...input, knownBy: "field" };
const system: Base = { ...input, doneBy: "system", screen: "stays", ifUnknown: "again", needsTarget: false };
const idle: Base = { ...system, doneBy: "service", screen: "is_seen", mayChange: false };
const end: Base = { ...idle, doneBy: "end", screen: "stays" };

/** One row per type, in the order in which a model reads them. */
export const actionKinds: Readonly<Record<ActionType, ActionKind>> = {
  click: {
    ...pointing,
    words: "Clicks at a point of the last picture, in its pixels.",
  },
  move: { ...pointing, ifUnknown: "again", words: "Moves the pointer to a point of the last picture." },
  drag: {
    ...pointing,
    words: "Drags from the start point to the end point with a mouse button.",
  },
  scroll: { ...pointing, words: "Turns the mouse wheel at a point of the last picture." },
  type: {
    ...keyboard,
    filledIn: ["text"],
    words: "Types text. Names in braces such as {$password} are replaced by their values as they are typed.",
  },
  key: {
    ...keyboard,
    words: "Presses keys by name.",
  },
  wait: { ...idle, words: "Waits, then shows the screen again." },
  screenshot: { ...idle, words: "Shows the screen as it is now." },
  copy_to_clipboard: {
    ...input,
    ifUnknown: "again",
    saves: true,
    words: "Copies the selection and saves its text under a name.",
  },
  read_file: {
    ...system,
    mayChange: false,
    filledIn: ["path"],
    saves: true,
    words: "Reads a file and saves its text under a name.",
  },
  write_file: { ...system, filledIn: ["path", "content"], words: "Writes a text file." },
  read: {
    ...idle,
    doneBy: "model",
    screen: "stays",
    saves: true,
    words:
      "Answers a question from the last picture and saves the answer under a name; `schema` is its JSON Schema.",
  },
  ask_person: {
    ...idle,
    doneBy: "person",
    screen: "stays",
    offered: "with_person",
    words:
      "Asks a person, who answers, or does on this desktop what you cannot, such as passing a check of who is there. Everything stands still until then, so ask for all that is needed at once, in words that can be understood without the task. Nobody sees secrets that a question asks for: ask that they be typed.",
  },
  finish: { ...end, words: "Ends the task as done; `output` is its result." },
  fail: { ...end, words: "Ends the task as one that cannot be done." },
  open: {
    ...input,
    filledIn: ["program"],
    offered: "with_programs",
    needsTarget: false,
    words: "Opens a program of this desktop, or brings its window to the front: surer than its icon.",
  },
  shell: {
    ...system,
    screen: "changes",
    ifUnknown: "end",
    filledIn: ["command"],
    saves: true,
    offered: "with_shell",
    words: "Runs a command and saves its output under a name.",
  },
};

export const actionTypes = Object.keys(actionKinds) as readonly ActionType[];

/** Returns undefined for the service's own steps with files, and for the actions that only workers name. */
export function findKind(type: unknown): ActionKind | undefined {
  return typeof type === "string" && Object.hasOwn(actionKinds, type)
    ? actionKinds[type as ActionType]
    : undefined;
}

export function isPointing(action: Action): action is PointingAction {
  return findKind(action.type)?.knownBy === "point";
}

export function isKeyboard(action: Action): action is KeyboardAction {
  return findKind(action.type)?.knownBy === "field";
}

/** The text of a `key` names keys, so no values are filled in. */
export function isFilledIn({ type }: { readonly type?: unknown }, field: string): boolean {
  return findKind(type)?.filledIn.includes(field) === true;
}

/** Returns undefined for an action at the pointer's current place. */
export function pointOf(action: PointingAction): Point | undefined {
  if (action.type === "drag") return { x: action.start_x, y: action.start_y };
  const { x, y } = action;
  return x === undefined || y === undefined ? undefined : { x, y };
}

export function movedAction(action: PointingAction, { dx, dy }: Shift): PointingAction {
  return withPoints(
    action,
    (x) => x + dx,
    (y) => y + dy,
  );
}

/** Maps the coordinates of an action's points. */
export function withPoints<Placed extends object>(
  action: Placed,
  across: (x: number) => number,
  down: (y: number) => number,
): Placed {
  const coordinates = Object.entries(action).map(([field, value]) => {
    if (typeof value !== "number") return [field, value];
    return [field, xFields.has(field) ? across(value) : yFields.has(field) ? down(value) : value];
  });
  return Object.fromEntries(coordinates) as Placed;
}

const xFields: ReadonlySet<string> = new Set(["x", "start_x", "to_x"]);
const yFields: ReadonlySet<string> = new Set(["y", "start_y", "to_y"]);

/** The action as it is recorded, with nothing filled in. */
export function shownAction(action: object): JsonObject {
  return Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined));
}

/** The words are for errors. */
export function wordsFor(action: Action): string {
  const { type, target } = action;
  const what = action.type === "open" ? action.program : target;
  return what === undefined ? type : `${type} ${what}`;
}
