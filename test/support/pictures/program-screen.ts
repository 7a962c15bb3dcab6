import type { Picture, Point, Rectangle, Shift, Size } from "../../../shared/domain/picture/picture.ts";
import { createRandom } from "../shared/random.ts";
import { glyphPixels } from "./bitmap-font.ts";
import { Canvas } from "./canvas.ts";

const themes = {
  light: {
    desktop: 0x2e5266,
    window: 0xf4f4f4,
    text: 0x202020,
    button: 0xe1e1e1,
    line: 0xadadad,
    field: 0xffffff,
  },
  dark: {
    desktop: 0x101820,
    window: 0x2b2b2b,
    text: 0xe0e0e0,
    button: 0x3c3f41,
    line: 0x5e6060,
    field: 0x45494a,
  },
  warm: {
    desktop: 0x665a2e,
    window: 0xf4ead8,
    text: 0x33220f,
    button: 0xe5d5b8,
    line: 0xb09a70,
    field: 0xfff8ec,
  },
} as const;

type ThemeName = keyof typeof themes;
type ButtonState = "enabled" | "disabled" | "hovered";

export const buttonNames = ["New", "Open", "Save", "Delete", "Print"] as const;
export type ButtonName = (typeof buttonNames)[number];
export const fieldNames = ["Customer", "Reference", "Amount"] as const;
export type FieldName = (typeof fieldNames)[number];

export interface ProgramState {
  readonly size: Size;
  readonly theme: ThemeName;
  readonly movedBy: Shift;
  readonly buttons: Readonly<Partial<Record<ButtonName, ButtonState>>>;
  /** A button's text, where that is not its name. */
  readonly labels: Readonly<Partial<Record<ButtonName, string>>>;
  readonly isOpen: boolean;
  readonly fieldOrder: readonly FieldName[];
  readonly fields: Readonly<Partial<Record<FieldName, string>>>;
  readonly focused: FieldName | null;
  readonly caret: boolean;
  readonly rows: readonly string[];
  readonly scrolled: number;
  readonly selected: string | null;
  readonly dialog: "plain" | "dimmed" | null;
  /** The dialog's upper left corner; null is in the middle of the window. */
  readonly dialogAt: Point | null;
  readonly backdrop: number;
  readonly spinner: number;
  readonly clock: string;
  readonly noise: number;
  readonly noiseSeed: number;
}

const rowPixels = 22;
const windowSize: Size = { width: 760, height: 500 };
const listTop = 110;
const listRows = 16;
const fieldTop = 120;
const fieldStep = 38;

const first = ["Anna", "Emma", "Mila", "Jonas", "Peter", "Maria", "Oskar", "Nina", "Felix", "Clara"];
const last = ["Schmidt", "Meyer", "Novak", "Olsen", "Fischer", "Rossi", "Dubois", "Silva", "Kowalski"];

/** Names of rows, all different because each has a number. */
export function rowNames(seed: number, count: number): readonly string[] {
  const random = createRandom(seed).next;
  const pick = (names: readonly string[]) => names[Math.floor(random() * names.length)];
  return Array.from({ length: count }, (_, at) => `${pick(first)} ${pick(last)} ${1000 + at * 37}`);
}

const plainProgram: ProgramState = {
  size: { width: 1280, height: 800 },
  theme: "light",
  movedBy: { dx: 0, dy: 0 },
  buttons: {},
  labels: {},
  isOpen: true,
  fieldOrder: fieldNames,
  fields: {},
  focused: null,
  caret: true,
  rows: rowNames(1, 12),
  scrolled: 0,
  selected: null,
  dialog: null,
  dialogAt: null,
  backdrop: 0.4,
  spinner: 0,
  clock: "10:41",
  noise: 0,
  noiseSeed: 1,
};

export function aProgram(state: Partial<ProgramState> = {}): ProgramState {
  return { ...plainProgram, ...state };
}

function cornerOf({ size, movedBy }: ProgramState): Point {
  return {
    x: Math.floor((size.width - windowSize.width) / 2) + movedBy.dx,
    y: Math.floor((size.height - windowSize.height) / 2) - 20 + movedBy.dy,
  };
}

export function buttonPlace(state: ProgramState, name: ButtonName): Rectangle {
  const { x, y } = cornerOf(state);
  return { x: x + 16 + buttonNames.indexOf(name) * 96, y: y + 42, width: 84, height: 26 };
}

export function fieldPlace(state: ProgramState, name: FieldName): Rectangle {
  const { x, y } = cornerOf(state);
  return { x: x + 100, y: y + fieldTop + state.fieldOrder.indexOf(name) * fieldStep, width: 140, height: 24 };
}

/** The place of a row; undefined where it is not wholly in view, or does not exist. */
export function rowPlace(state: ProgramState, row: string): Rectangle | undefined {
  return placeOfRow(state, state.rows.indexOf(row));
}

function placeOfRow(state: ProgramState, at: number): Rectangle | undefined {
  const top = at * rowPixels - state.scrolled;
  if (at < 0 || top < 0 || top + rowPixels > listRows * rowPixels) return undefined;
  const list = listPlace(state);
  return { x: list.x, y: list.y + top, width: list.width, height: rowPixels };
}

function listPlace(state: ProgramState): Rectangle {
  const { x, y } = cornerOf(state);
  return { x: x + 360, y: y + listTop, width: 380, height: listRows * rowPixels };
}

export function spinnerPlace(state: ProgramState): Rectangle {
  const { x, y } = buttonPlace(state, "Save");
  return { x: x + 86, y: y + 8, width: 9, height: 9 };
}

export function clockPlace({ size }: ProgramState): Rectangle {
  return {
    x: size.width - 60,
    y: size.height - 20,
    width: 5 * glyphPixels.width,
    height: glyphPixels.height,
  };
}

function dialogPlace(state: ProgramState): Rectangle {
  const { x, y } = state.dialogAt ?? {
    x: cornerOf(state).x + windowSize.width / 2 - 150,
    y: cornerOf(state).y + windowSize.height / 2 - 70,
  };
  return { x, y, width: 300, height: 140 };
}

export function centerOf({ x, y, width, height }: Rectangle): Point {
  return { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
}

export function drawProgram(state: ProgramState): Picture {
  const theme = themes[state.theme];
  const canvas = new Canvas(state.size.width, state.size.height, theme.desktop);
  if (state.isOpen) drawWindow(canvas, state);
  if (state.dialog !== null) drawDialog(canvas, state);
  const bar = { x: 0, y: state.size.height - 28, width: state.size.width, height: 28 };
  canvas.fill(bar, theme.button);
  canvas.text(clockPlace(state).x, clockPlace(state).y, state.clock, theme.text);
  if (state.noise > 0) canvas.noise(state.noise, createRandom(state.noiseSeed).next);
  return canvas;
}

function drawWindow(canvas: Canvas, state: ProgramState): void {
  const theme = themes[state.theme];
  const { x, y } = cornerOf(state);
  canvas.fill({ x, y, ...windowSize }, theme.window);
  canvas.frame({ x, y, ...windowSize }, theme.line);
  canvas.fill({ x, y, width: windowSize.width, height: 28 }, 0x3b6ea5);
  canvas.text(x + 12, y + 10, "Orders - Office", 0xffffff);
  canvas.fill({ x, y: y + 78, width: windowSize.width, height: 1 }, theme.line);
  for (const name of buttonNames) {
    drawButton(canvas, state, buttonPlace(state, name), state.labels[name] ?? name, state.buttons[name]);
  }
  for (const name of state.fieldOrder) drawField(canvas, state, name);
  drawList(canvas, state);
  drawSpinner(canvas, state);
}

function drawButton(
  canvas: Canvas,
  { theme: name }: ProgramState,
  place: Rectangle,
  text: string,
  state: ButtonState = "enabled",
): void {
  const theme = themes[name];
  canvas.fill(place, theme.button);
  canvas.frame(place, theme.line);
  const x = place.x + Math.floor((place.width - text.length * glyphPixels.width) / 2);
  canvas.text(x, place.y + 9, text, theme.text);
  if (state === "disabled") canvas.blend(place, theme.window, 0.6);
  if (state === "hovered") canvas.blend(place, 0x66aaff, 0.15);
}

function drawField(canvas: Canvas, state: ProgramState, name: FieldName): void {
  const theme = themes[state.theme];
  const place = fieldPlace(state, name);
  const value = state.fields[name] ?? "";
  const isFocused = state.focused === name;
  canvas.text(cornerOf(state).x + 20, place.y + 8, name, theme.text);
  canvas.fill(place, theme.field);
  canvas.frame(place, isFocused ? 0x3b6ea5 : theme.line, isFocused ? 2 : 1);
  canvas.text(place.x + 8, place.y + 8, value, theme.text);
  if (!isFocused || !state.caret) return;
  const x = place.x + 8 + value.length * glyphPixels.width;
  canvas.fill({ x, y: place.y + 5, width: 1, height: 14 }, theme.text);
}

function drawList(canvas: Canvas, state: ProgramState): void {
  const theme = themes[state.theme];
  const list = listPlace(state);
  canvas.fill(list, theme.field);
  for (const [at, row] of state.rows.entries()) {
    const place = placeOfRow(state, at);
    if (place !== undefined) drawRow(canvas, state, place, row);
  }
  canvas.frame({ x: list.x - 1, y: list.y - 1, width: list.width + 2, height: list.height + 2 }, theme.line);
}

function drawRow(canvas: Canvas, state: ProgramState, place: Rectangle, row: string): void {
  const theme = themes[state.theme];
  const isSelected = state.selected === row;
  if (isSelected) canvas.fill(place, 0x3b6ea5);
  canvas.fill({ x: place.x + 6, y: place.y + 5, width: 12, height: 12 }, 0xd1a349);
  canvas.text(place.x + 26, place.y + 7, row, isSelected ? 0xffffff : theme.text);
  canvas.fill({ x: place.x, y: place.y + rowPixels - 1, width: place.width, height: 1 }, theme.button);
}

function drawSpinner(canvas: Canvas, state: ProgramState): void {
  const { x, y } = spinnerPlace(state);
  const steps: readonly (readonly [number, number])[] = [
    [3, 0],
    [6, 3],
    [3, 6],
    [0, 3],
  ];
  for (const [at, [dx, dy]] of steps.entries()) {
    const isLit = at === state.spinner % steps.length;
    canvas.fill({ x: x + dx, y: y + dy, width: 3, height: 3 }, isLit ? 0x3b6ea5 : themes[state.theme].line);
  }
}

function drawDialog(canvas: Canvas, state: ProgramState): void {
  const theme = themes[state.theme];
  if (state.dialog === "dimmed") canvas.blend({ x: 0, y: 0, ...state.size }, 0, state.backdrop);
  const place = dialogPlace(state);
  canvas.fill(place, theme.window);
  canvas.frame(place, 0x3b6ea5, 2);
  canvas.text(place.x + 20, place.y + 30, "Discard the changes?", theme.text);
  drawButton(canvas, state, { x: place.x + 90, y: place.y + 96, width: 84, height: 26 }, "Yes");
  drawButton(canvas, state, { x: place.x + 190, y: place.y + 96, width: 84, height: 26 }, "No");
}
