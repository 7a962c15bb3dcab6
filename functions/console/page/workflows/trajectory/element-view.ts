import { codeSuffix, placeholdersIn } from "../../../../../shared/vocabulary/placeholders.ts";

type JsonObject = Readonly<Record<string, unknown>>;

interface PieceView {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly png: string;
  readonly thumbnail: string | undefined;
}

interface RecordedScreen {
  readonly recordingId: string;
  readonly index: number;
}

/** The path of a recorded picture. They are removed in time: then there is none. */
export function pictureOf({ recordingId, index }: RecordedScreen): string {
  return `/v1/recordings/${encodeURIComponent(recordingId)}/steps/${index}/screenshot`;
}

/** What a page shows of an element, which may be any JSON while its trajectory is not approved. */
export interface ElementView {
  readonly action: JsonObject & { readonly type: string };
  readonly target: string;
  readonly isByModel: boolean;
  readonly isOptional: boolean;
  /** The piece by which it is found, or in which it types. */
  readonly pieces: readonly PieceView[];
  /** The recorded picture of the screen on which it is done. */
  readonly screen: RecordedScreen | undefined;
  /** In pixels of the recorded picture. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** @returns undefined for what is not of the service's format. */
export function elementView(element: unknown): ElementView | undefined {
  if (!isObject(element) || !isObject(element.action) || typeof element.action.type !== "string") {
    return undefined;
  }
  const { action, by, optional, screen } = element;
  return {
    action: { ...action, type: element.action.type },
    target: typeof action.target === "string" ? action.target : "",
    isByModel: by === "model",
    isOptional: optional === true,
    pieces: [element.anchor, element.guard].flatMap((piece) => pieceView(piece) ?? []),
    screen: screenOf(screen),
    points: [
      pointOf(action.x, action.y),
      pointOf(action.start_x, action.start_y),
      pointOf(action.to_x, action.to_y),
    ].filter((point) => point !== undefined),
  };
}

function screenOf(screen: unknown): ElementView["screen"] {
  if (!isObject(screen)) return undefined;
  const { recording_id, index } = screen;
  const isThere = typeof recording_id === "string" && typeof index === "number";
  return isThere ? { recordingId: recording_id, index } : undefined;
}

function pointOf(x: unknown, y: unknown): { readonly x: number; readonly y: number } | undefined {
  return typeof x === "number" && typeof y === "number" ? { x, y } : undefined;
}

/** Anything but base64 would not be the picture of a data address. */
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

function pieceView(piece: unknown): PieceView | undefined {
  if (!isObject(piece)) return undefined;
  const { x, y, width, height, png, thumbnail } = piece;
  const areNumbers = [x, y, width, height].every((each) => typeof each === "number");
  if (!areNumbers || typeof png !== "string" || !base64.test(png)) return undefined;
  return {
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
    png,
    thumbnail: typeof thumbnail === "string" && base64.test(thumbnail) ? thumbnail : undefined,
  };
}

/** The field of an action whose text may name inputs. */
export const textFields: Readonly<Record<string, string>> = {
  type: "text",
  write_file: "content",
  shell: "command",
  read_file: "path",
  open: "program",
};

type Words = (action: JsonObject) => string;

const words: Readonly<Record<string, Words>> = {
  click: ({ button, clicks, down }) => {
    if (down === true) return "Press the mouse button on";
    if (down === false) return "Release the mouse button on";
    const times = clicks === 2 ? "Double click" : clicks === 3 ? "Triple click" : "Click";
    return button === "right" || button === "middle" ? `${times} (${button} button)` : times;
  },
  move: () => "Move the pointer to",
  drag: () => "Drag",
  scroll: ({ direction, amount }) => `Scroll ${direction} by ${amount}`,
  type: () => "Type",
  key: ({ text }) => `Press ${text}`,
  open: ({ program, if_open }) => `Open ${program}${if_open === "restart" ? ", started anew" : ""}`,
  wait: ({ seconds }) => `Wait ${seconds} s`,
  screenshot: () => "Look at the screen",
  copy_to_clipboard: ({ save_as }) => `Copy what is selected as {${save_as}}`,
  read_file: ({ path, save_as }) => `Read the file ${path} as {${save_as}}`,
  write_file: ({ path }) => `Write the file ${path}`,
  shell: ({ save_as }) => `Run a command, its output as {${save_as}}`,
  read: ({ question, save_as }) => `Read from the screen as {${save_as}}: ${question}`,
  finish: () => "Finish",
  fail: ({ reason }) => `Give up: ${reason}`,
};

/**
 * What an element does, as a sentence without its end.
 *
 * @param isPlaceSaid a place without a name is said by its pixels; where its picture is beside it, it need not be.
 */
export function wordsOf({ action, target, points }: ElementView, isPlaceSaid = true): string {
  const does = words[action.type]?.(action) ?? action.type;
  const [point] = points;
  const isPlaced = ["click", "move", "drag", "scroll"].includes(action.type);
  const what =
    target !== "" ? target : isPlaced && isPlaceSaid && point ? `the place ${point.x}, ${point.y}` : "";
  if (what === "" || !isPlaced) return does;
  return `${does}${action.type === "scroll" ? " at" : ""} ${what}`;
}

/** The text that it types, writes or runs. */
export function textOf({ action }: ElementView): string | undefined {
  const field = textFields[action.type];
  const text = field === undefined ? undefined : action[field];
  return typeof text === "string" && action.type !== "open" && action.type !== "read_file" ? text : undefined;
}

/** The text that an element types the same in each run. */
export function constantOf(element: unknown): string | undefined {
  const view = elementView(element);
  const text = view?.action.type === "type" ? textOf(view) : undefined;
  return text === undefined || placeholdersIn(text).length > 0 ? undefined : text;
}

/** Names of inputs and saved values, and of secrets with `$`, that an element has in any of its texts. */
function namesIn({ action }: ElementView): readonly string[] {
  const names = placeholdersIn(JSON.stringify(action)).map(({ name, isSecret }) =>
    isSecret ? `$${name}` : name,
  );
  return [...new Set(names)];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names of inputs that elements have, without those of values that they save themselves. */
export function inputsIn(views: readonly ElementView[]): readonly string[] {
  const saved = new Set(
    views.flatMap(({ action }) => (typeof action.save_as === "string" ? [action.save_as] : [])),
  );
  const names = views.flatMap((view) => namesIn(view)).filter((name) => !name.startsWith("$"));
  return [...new Set(names.map((name) => name.replace(/\..*$/, "")))].filter((name) => !saved.has(name));
}

/** Aliases of secrets that elements type. */
export function secretsIn(views: readonly ElementView[]): readonly string[] {
  const names = views.flatMap((view) => namesIn(view)).filter((name) => name.startsWith("$"));
  return [...new Set(names.map((name) => name.slice(1)))].map((name) =>
    name.endsWith(codeSuffix) ? name.slice(0, -codeSuffix.length) : name,
  );
}
