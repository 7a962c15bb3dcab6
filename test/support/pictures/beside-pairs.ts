import type { Picture, Shift } from "../../../shared/domain/picture/picture.ts";
import { recordElement } from "../../../shared/domain/recording/record-element.ts";
import type { TrajectoryElement } from "../../../shared/domain/trajectory/trajectory-element.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { createRandom } from "../shared/random.ts";
import { centerOf } from "./program-screen.ts";
import {
  aWideForm,
  drawWideForm,
  notePixels,
  type WideFieldName,
  type WideForm,
  wideFieldNames,
  wideFieldPlace,
} from "./wide-form.ts";

export interface BesidePair {
  readonly name: string;
  readonly element: TrajectoryElement;
  readonly size: WideForm["size"];
  readonly screen: Picture;
  /** The shift of the field's label; null where nothing may be clicked. */
  readonly movedBy: Shift | null;
  readonly isRequired: boolean;
}

interface BesideCase {
  readonly name: string;
  readonly change: (form: WideForm, name: WideFieldName, random: () => number) => Partial<WideForm>;
  readonly truth: "there" | "perhaps" | "absent";
}

const between = (random: () => number, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));
const sign = (random: () => number) => (random() < 0.5 ? -1 : 1);
const noise = (random: () => number) => ({ noise: 2, noiseSeed: between(random, 1, 1e9) });
const moved = ({ dx, dy }: Shift, random: () => number) => ({
  movedBy: { dx: dx + between(random, -40, 40), dy: dy + between(random, -40, 40) },
});

const cases: readonly BesideCase[] = [
  { name: "the same screen", truth: "there", change: () => ({}) },
  { name: "noise", truth: "there", change: (_form, _name, random) => noise(random) },
  { name: "the window moved", truth: "there", change: (form, _name, random) => moved(form.movedBy, random) },
  {
    name: "the window moved, and noise",
    truth: "there",
    change: (form, _name, random) => ({ ...moved(form.movedBy, random), ...noise(random) }),
  },
  { name: "the field is disabled", truth: "absent", change: (_form, name) => ({ disabled: [name] }) },
  { name: "the field is not there", truth: "absent", change: (_form, name) => ({ missing: [name] }) },
  {
    name: "the window moved, and the field is not there",
    truth: "absent",
    change: (form, name, random) => ({ missing: [name], ...moved(form.movedBy, random) }),
  },
  {
    name: "a note over the point",
    truth: "absent",
    change: (form, name, random) => {
      const { x, y } = centerOf(wideFieldPlace(form, name));
      const off = {
        x: between(random, 8, notePixels.width - 8),
        y: between(random, 8, notePixels.height - 8),
      };
      return { noteAt: { x: x - off.x, y: y - off.y } };
    },
  },
  {
    name: "the field is filled up to the point",
    truth: "absent",
    change: (_form, name, random) => ({
      fields: { [name]: "Invoices by letter, and copies ".repeat(2).slice(0, between(random, 32, 60)) },
    }),
  },
  {
    name: "the field lies elsewhere, above or below",
    truth: "absent",
    change: (_form, _name, random) => ({
      fieldsMovedBy: { dx: 0, dy: sign(random) * between(random, 2, 20) },
    }),
  },
  {
    name: "the field lies elsewhere in its row",
    truth: "perhaps",
    change: (_form, _name, random) => ({
      fieldsMovedBy: { dx: sign(random) * between(random, 4, 90), dy: 0 },
    }),
  },
  {
    name: "something short is in the field",
    truth: "perhaps",
    change: (_form, name) => ({ fields: { [name]: "4711" } }),
  },
];

export function* besidePairs(seed: number): Generator<BesidePair> {
  const random = createRandom(seed).next;
  const labels = random() < 0.5 ? "left" : "above";
  const form = aWideForm({ labels, ...moved({ dx: 0, dy: 0 }, random) });
  const name = wideFieldNames[between(random, 0, wideFieldNames.length - 1)] ?? "Remark";
  const { x, y } = centerOf(wideFieldPlace(form, name));
  const action = { type: "click", x: x + between(random, -40, 40), y } as const;
  const before = drawWideForm(form);
  const element = recordElement(pngCodec, { action, before, changed: undefined });
  if (element.anchor === undefined || element.guard === undefined) return;
  const { thumbnail: _, ...anchor } = element.anchor;
  for (const { name: what, change, truth } of cases) {
    const changed = { ...form, ...change(form, name, random) };
    const by = { dx: changed.movedBy.dx - form.movedBy.dx, dy: changed.movedBy.dy - form.movedBy.dy };
    yield {
      name: what,
      element: { ...element, anchor },
      size: form.size,
      screen: drawWideForm(changed),
      movedBy: truth === "absent" ? null : by,
      isRequired: truth === "there",
    };
  }
}
