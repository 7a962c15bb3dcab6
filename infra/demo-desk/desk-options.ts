import * as z from "zod";

const flag = z.boolean().default(false);
const count = z.int().min(0);
const side = z.int().min(16).max(8_192);
const DeskSize = z.strictObject({ width: side, height: side });

/** README.md describes each option under "The demo desk". */
export const DeskOptions = z.strictObject({
  size: DeskSize.default({ width: 1280, height: 800 }),
  seed: count.default(0),
  openingMs: count.max(60_000).optional(),
  lateLettersMs: count.max(60_000).default(0),
  letterMs: count.max(60_000).default(0),
  open: flag,
  theme: z.enum(["light", "dark"]).default("light"),
  clock: flag,
  spinner: flag,
  dialog: z.enum(["none", "open", "customer", "save"]).default("none"),
  dimmed: flag,
  save: z.enum(["works", "disabled", "broken"]).default("works"),
  hovered: z.string().optional(),
  losesFocus: z.string().optional(),
  rows: z.enum(["different", "reordered", "similar", "identical"]).default("different"),
  scrolled: count.default(0),
  selected: count.optional(),
  selectsNext: flag,
  blank: flag,
});
export type DeskOptions = z.output<typeof DeskOptions>;
export type DeskInput = z.input<typeof DeskOptions>;

/** The farthest that a seed moves the window from its usual place, in each direction. */
export const movedMax = 40;
const openingMsMax = 8_000;
const firstOrder = 1_042;
const ordersPerSeed = 37;

export interface Luck {
  readonly moved: { readonly x: number; readonly y: number };
  readonly openingMs: number;
  readonly firstOrder: number;
}

/** A seed of 0 changes nothing. */
export function luckOf(seed: number): Luck {
  if (seed === 0) return { moved: { x: 0, y: 0 }, openingMs: 0, firstOrder };
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const shift = () => Math.floor(next() * (2 * movedMax + 1)) - movedMax;
  const moved = { x: shift(), y: shift() };
  return {
    moved,
    openingMs: Math.floor(next() * openingMsMax),
    firstOrder: firstOrder + (seed % 200) * ordersPerSeed,
  };
}
