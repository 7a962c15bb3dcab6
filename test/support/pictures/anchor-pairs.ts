import { cutAnchor } from "../../../shared/domain/picture/cut-anchor.ts";
import type { Anchor } from "../../../shared/domain/picture/find-anchor.ts";
import type { Picture, Point, Rectangle, Shift } from "../../../shared/domain/picture/picture.ts";
import { createRandom } from "../shared/random.ts";
import {
  aProgram,
  type ButtonName,
  buttonNames,
  buttonPlace,
  centerOf,
  clockPlace,
  drawProgram,
  type FieldName,
  fieldNames,
  fieldPlace,
  type ProgramState,
  rowNames,
  rowPlace,
  spinnerPlace,
} from "./program-screen.ts";

export interface AnchorPair {
  readonly name: CaseName;
  readonly seed: number;
  readonly target: string;
  readonly anchor: Anchor;
  readonly masks: readonly Rectangle[];
  readonly screen: Picture;
  readonly truth: Truth;
}

/** The anchor's present place; null where it must not be found. Not required where a change beside it may alter it. */
interface Truth {
  readonly movedBy: Shift | null;
  readonly isRequired: boolean;
}

type Target =
  | { readonly kind: "button"; readonly name: ButtonName }
  | { readonly kind: "field"; readonly name: FieldName }
  | { readonly kind: "row"; readonly name: string };

type Change = Partial<ProgramState>;

interface Case {
  readonly name: string;
  /** Undefined where the case says nothing about the target. */
  readonly change: (recorded: ProgramState, target: Target, random: () => number) => Change | undefined;
  readonly truth: "there" | "perhaps" | "absent";
}

const between = (random: () => number, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

const shift = (random: () => number): Shift => ({
  dx: between(random, -40, 40),
  dy: between(random, -40, 40),
});

const noise = (random: () => number): Change => ({ noise: 2, noiseSeed: between(random, 1, 1e9) });

function misspelt(text: string, random: () => number): string {
  const at = between(random, 0, text.length - 1);
  const character = text.charAt(at);
  const others = /\d/.test(character) ? "0123456789" : "abcdefghijklmnopqrstuvwxyz";
  const other = others.charAt(between(random, 0, others.length - 1));
  if (other === character || character === " ") return misspelt(text, random);
  return text.slice(0, at) + other + text.slice(at + 1);
}

const cases = [
  { name: "the same screen", truth: "there", change: () => ({}) },
  { name: "noise", truth: "there", change: (_recorded, _target, random) => noise(random) },
  {
    name: "the window moved",
    truth: "there",
    change: (_recorded, _target, random) => ({ movedBy: shift(random) }),
  },
  {
    name: "the window moved, and noise",
    truth: "there",
    change: (_recorded, _target, random) => ({ movedBy: shift(random), ...noise(random) }),
  },
  {
    name: "the spinner and the clock went on",
    truth: "there",
    change: (_recorded, _target, random) => ({ spinner: between(random, 1, 3), clock: "10:57" }),
  },
  {
    name: "a dialog over it",
    truth: "absent",
    change: (recorded, target, random) => {
      const { x, y } = pointOf(recorded, target);
      return {
        dialog: "plain",
        dialogAt: { x: x - between(random, 20, 280), y: y - between(random, 20, 120) },
      };
    },
  },
  {
    name: "a dialog beside it, and a backdrop",
    truth: "absent",
    change: (_recorded, _target, random) => ({
      dialog: "dimmed",
      dialogAt: { x: between(random, 0, 800), y: 640 },
      backdrop: 0.03 + random() * 0.6,
    }),
  },
  {
    name: "it is disabled",
    truth: "absent",
    change: (_recorded, { kind, name }) =>
      kind === "button" ? { buttons: { [name]: "disabled" } } : undefined,
  },
  {
    name: "the pointer is over it",
    truth: "perhaps",
    change: (_recorded, { kind, name }) =>
      kind === "button" ? { buttons: { [name]: "hovered" } } : undefined,
  },
  {
    name: "one letter of it is another",
    truth: "absent",
    change: ({ rows }, { kind, name }, random) => {
      if (kind === "field") return undefined;
      if (kind === "button") return { labels: { [name]: misspelt(name, random) } };
      return { rows: rows.map((row) => (row === name ? misspelt(row, random) : row)) };
    },
  },
  {
    name: "two rows are alike, and all around them",
    truth: "absent",
    change: ({ rows }, { kind, name }) => (kind === "row" ? { rows: rows.map(() => name) } : undefined),
  },
  {
    name: "other rows",
    truth: "absent",
    change: ({ rows }, { kind }, random) =>
      kind === "row" ? { rows: rowNames(between(random, 1e6, 1e9), rows.length) } : undefined,
  },
  {
    name: "the list is scrolled",
    truth: "perhaps",
    change: (_recorded, { kind }, random) =>
      kind === "row" ? { scrolled: between(random, 1, 60) } : undefined,
  },
  {
    name: "the list is scrolled far",
    truth: "absent",
    change: (_recorded, { kind }, random) =>
      kind === "row" ? { scrolled: between(random, 80, 200) } : undefined,
  },
  {
    name: "the list has another order",
    truth: "perhaps",
    change: ({ rows }, { kind }, random) => {
      if (kind !== "row") return undefined;
      const from = between(random, 1, rows.length - 1);
      return { rows: [...rows.slice(from), ...rows.slice(0, from)] };
    },
  },
  {
    name: "another theme",
    truth: "absent",
    change: ({ theme }, _target, random) => {
      const others = (["light", "dark", "warm"] as const).filter((name) => name !== theme);
      return { theme: others[between(random, 0, 1)] ?? "warm" };
    },
  },
  {
    name: "the fields have another order",
    truth: "perhaps",
    change: (_recorded, { kind }) =>
      kind === "field" ? { fieldOrder: ["Amount", "Customer", "Reference"] } : undefined,
  },
  {
    name: "the field is filled",
    truth: "perhaps",
    change: (_recorded, { kind, name }) => (kind === "field" ? { fields: { [name]: "4711" } } : undefined),
  },
  {
    name: "the window moved too far",
    truth: "absent",
    change: (_recorded, _target, random) => {
      const sign = random() < 0.5 ? -1 : 1;
      return { movedBy: { dx: sign * between(random, 70, 200), dy: between(random, -60, 60) } };
    },
  },
  { name: "the window is closed", truth: "absent", change: () => ({ isOpen: false }) },
  {
    name: "the window is closed, and noise",
    truth: "absent",
    change: (_recorded, _target, random) => ({ isOpen: false, ...noise(random) }),
  },
] as const satisfies readonly Case[];

type CaseName = (typeof cases)[number]["name"];

export function* anchorPairs(seed: number): Generator<AnchorPair> {
  const random = createRandom(seed).next;
  const theme = (["light", "dark", "warm"] as const)[between(random, 0, 2)] ?? "light";
  const rows = rowNames(seed, 14);
  const recorded = aProgram({ theme, rows });
  const picture = drawProgram(recorded);
  const masks = [spinnerPlace(recorded), clockPlace(recorded)];
  const targets: readonly Target[] = [
    { kind: "button", name: buttonNames[between(random, 0, buttonNames.length - 1)] ?? "Save" },
    { kind: "field", name: fieldNames[between(random, 0, fieldNames.length - 1)] ?? "Amount" },
    { kind: "row", name: rows[between(random, 0, rows.length - 1)] ?? "" },
  ];
  for (const target of targets) {
    const anchor = cutAnchor(picture, pointOf(recorded, target), { masks });
    if (anchor === null) continue;
    for (const { name, change, truth } of cases as readonly Case[] as readonly (Case & {
      name: CaseName;
    })[]) {
      const changed = change(recorded, target, random);
      if (changed === undefined) continue;
      const state = { ...recorded, ...changed };
      const place = placeOf(state, target);
      const before = placeOf(recorded, target);
      const isAbsent = truth === "absent" || place === undefined || before === undefined;
      const movedBy = isAbsent ? null : { dx: place.x - before.x, dy: place.y - before.y };
      const screen = drawProgram(state);
      const isRequired = truth === "there";
      yield { name, seed, target: target.name, anchor, masks, screen, truth: { movedBy, isRequired } };
    }
  }
}

function placeOf(state: ProgramState, target: Target): Rectangle | undefined {
  if (target.kind === "button") return buttonPlace(state, target.name);
  return target.kind === "field" ? fieldPlace(state, target.name) : rowPlace(state, target.name);
}

/** The point at which a person would have clicked. */
function pointOf(state: ProgramState, target: Target): Point {
  const place = placeOf(state, target);
  if (place === undefined) throw new Error(`${target.name} is not on the screen`);
  return target.kind === "row" ? { x: place.x + 70, y: place.y + 11 } : centerOf(place);
}
