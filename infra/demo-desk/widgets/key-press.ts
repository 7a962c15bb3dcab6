import { characterOf } from "../../driver/screens/keysyms/keysyms.ts";

const named = {
  65288: "BackSpace",
  65289: "Tab",
  65056: "BackTab",
  65293: "Return",
  65421: "Return",
  65307: "Escape",
  65535: "Delete",
  65360: "Home",
  65361: "Left",
  65362: "Up",
  65363: "Right",
  65364: "Down",
  65365: "PageUp",
  65366: "PageDown",
  65367: "End",
} as const satisfies Readonly<Record<number, string>>;

const modifiers: Readonly<Record<number, "shift" | "ctrl" | "other">> = {
  65505: "shift",
  65506: "shift",
  65507: "ctrl",
  65508: "ctrl",
  65513: "other",
  65514: "other",
  65515: "other",
  65516: "other",
};

export interface KeyPress {
  readonly name?: (typeof named)[keyof typeof named];
  readonly character?: string;
  readonly isShift: boolean;
  readonly isCtrl: boolean;
}

/** Returns undefined for modifiers and for keys that this desk does not use. */
export function keyPressOf(keysym: number, held: ReadonlySet<number>): KeyPress | undefined {
  const isHeld = (kind: string) => [...held].some((each) => modifiers[each] === kind);
  if (isHeld("other") || keysym in modifiers) return undefined;
  const [isShift, isCtrl] = [isHeld("shift"), isHeld("ctrl")];
  const name = (named as Readonly<Record<number, (typeof named)[keyof typeof named]>>)[keysym];
  if (name !== undefined) return { name, isShift, isCtrl };
  const character = characterOf(keysym);
  if (character === undefined) return undefined;
  return { character: isShift ? character.toUpperCase() : character, isShift, isCtrl };
}
