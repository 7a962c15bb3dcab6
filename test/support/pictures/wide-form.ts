import type { Picture, Point, Rectangle, Shift, Size } from "../../../shared/domain/picture/picture.ts";
import { createRandom } from "../shared/random.ts";
import { Canvas } from "./canvas.ts";

export const wideFieldNames = ["Full name", "Street and number", "Remark", "Invoice to"] as const;
export type WideFieldName = (typeof wideFieldNames)[number];

export interface WideForm {
  readonly size: Size;
  readonly movedBy: Shift;
  readonly labels: "left" | "above";
  readonly fields: Readonly<Partial<Record<WideFieldName, string>>>;
  readonly disabled: readonly WideFieldName[];
  readonly missing: readonly WideFieldName[];
  readonly fieldsMovedBy: Shift;
  readonly noteAt: Point | null;
  readonly noise: number;
  readonly noiseSeed: number;
}

const plainForm: WideForm = {
  size: { width: 1280, height: 800 },
  movedBy: { dx: 0, dy: 0 },
  labels: "left",
  fields: {},
  disabled: [],
  missing: [],
  fieldsMovedBy: { dx: 0, dy: 0 },
  noteAt: null,
  noise: 0,
  noiseSeed: 1,
};

export function aWideForm(state: Partial<WideForm> = {}): WideForm {
  return { ...plainForm, ...state };
}

const fieldSize: Size = { width: 430, height: 28 };
export const notePixels: Size = { width: 120, height: 60 };

function windowOf({ movedBy }: WideForm): Rectangle {
  return { x: 180 + movedBy.dx, y: 90 + movedBy.dy, width: 900, height: 560 };
}

function labelPlace(form: WideForm, name: WideFieldName): Point {
  const { x, y } = windowOf(form);
  const top = y + 90 + wideFieldNames.indexOf(name) * (form.labels === "left" ? 44 : 66);
  return form.labels === "left" ? { x: x + 60, y: top + 10 } : { x: x + 220, y: top - 12 };
}

export function wideFieldPlace(form: WideForm, name: WideFieldName): Rectangle {
  const { x, y } = windowOf(form);
  const { dx, dy } = form.fieldsMovedBy;
  const top = y + 90 + wideFieldNames.indexOf(name) * (form.labels === "left" ? 44 : 66);
  return { x: x + 220 + dx, y: top + dy, ...fieldSize };
}

export function drawWideForm(form: WideForm): Picture {
  const { width, height } = form.size;
  const canvas = new Canvas(width, height, 0x2e5266);
  const window = windowOf(form);
  canvas.fill(window, 0xffffff);
  canvas.frame(window, 0x5e6060);
  canvas.fill({ ...window, height: 30 }, 0x3b6ea5);
  canvas.text(window.x + 14, window.y + 11, "Invoices", 0xffffff);
  for (const name of wideFieldNames) drawWideField(canvas, form, name);
  if (form.noteAt !== null) {
    const note = { ...form.noteAt, ...notePixels };
    canvas.fill(note, 0xfdf6d8);
    canvas.frame(note, 0xb09a70);
    canvas.text(note.x + 10, note.y + 26, "Saved a draft", 0x33220f);
  }
  if (form.noise > 0) canvas.noise(form.noise, createRandom(form.noiseSeed).next);
  return canvas;
}

function drawWideField(canvas: Canvas, form: WideForm, name: WideFieldName): void {
  const label = labelPlace(form, name);
  canvas.text(label.x, label.y, name, 0x202020);
  if (form.missing.includes(name)) return;
  const place = wideFieldPlace(form, name);
  const isDisabled = form.disabled.includes(name);
  canvas.fill(place, isDisabled ? 0xf0f0f0 : 0xffffff);
  canvas.frame(place, isDisabled ? 0xc8c8c8 : 0x767676);
  canvas.text(place.x + 8, place.y + 10, form.fields[name] ?? "", 0x202020);
}
