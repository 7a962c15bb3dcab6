import { characterOf } from "../keysyms/keysyms.ts";
import type { DisplayConnection } from "./display-connection.ts";
import { type Key, readXkbMap } from "./xkb-map.ts";

export interface Stroke {
  readonly keycode: number;
  readonly held: readonly number[];
}

const lockMask = 2;
const keysyms = {
  capsLock: 0xffe5,
  shiftLock: 0xffe6,
  numLock: 0xff7f,
  shiftLeft: 0xffe1,
  shiftRight: 0xffe2,
  level3Shift: 0xfe03,
  level5Shift: 0xfe11,
  modeSwitch: 0xff7e,
  keypadFirst: 0xff80,
  keypadLast: 0xffbd,
};
const lockKeys = new Set([keysyms.capsLock, keysyms.shiftLock, keysyms.numLock]);
/** These modifiers choose a level and mean nothing else to a program. */
const levelKeys = new Set([
  keysyms.shiftLeft,
  keysyms.shiftRight,
  keysyms.level3Shift,
  keysyms.level5Shift,
  keysyms.modeSwitch,
]);
/** Some toolkits treat the lowest keycode as none. */
const firstSpareKeycode = 9;

interface Strokes {
  readonly byKeysym: ReadonlyMap<number, Stroke>;
  readonly byCharacter: ReadonlyMap<string, Stroke>;
}

export class Keymap {
  /** These keycodes have no symbol. */
  readonly spare: readonly number[];
  /** Keys that lock a modifier are not among them. */
  readonly modifierKeycodes: ReadonlySet<number>;
  /** NumLock changes nothing but the keypad. */
  readonly numLockMask: number;
  readonly #keys: readonly Key[];
  readonly #levelModifiers: ReadonlyMap<number, number>;
  readonly #strokes = new Map<number, Strokes>();

  private constructor(keys: readonly Key[], modifierRows: readonly (readonly number[])[]) {
    this.#keys = keys;
    this.spare = keys
      .filter(({ keycode, groups }) => keycode >= firstSpareKeycode && groups.every(isEmpty))
      .map(({ keycode }) => keycode);
    const byKeycode = new Map(keys.map((key) => [key.keycode, key]));
    const rows = modifierRows.map((keycodes) =>
      keycodes.flatMap((keycode) => {
        const key = byKeycode.get(keycode);
        return keycode === 0 || key === undefined ? [] : [key];
      }),
    );
    this.modifierKeycodes = new Set(
      rows.flatMap((row) => row.filter((key) => !has(key, lockKeys)).map(({ keycode }) => keycode)),
    );
    this.numLockMask = rows.reduce(
      (mask, row, index) =>
        row.some((key) => has(key, new Set([keysyms.numLock]))) ? mask | (1 << index) : mask,
      0,
    );
    this.#levelModifiers = new Map(
      rows.flatMap((row, index) => {
        const key = row.find((candidate) => has(candidate, levelKeys));
        return key === undefined || 1 << index === lockMask ? [] : [[1 << index, key.keycode]];
      }),
    );
  }

  static async read(connection: DisplayConnection): Promise<Keymap> {
    const [keys, rows] = await Promise.all([
      readXkbMap(connection),
      connection.ask<readonly (readonly number[])[]>((reply) => connection.client.GetModifierMapping(reply)),
    ]);
    return new Keymap(keys, rows);
  }

  wireOf(keycode: number): Buffer {
    const key = this.#keys.find((candidate) => candidate.keycode === keycode);
    if (key === undefined) throw new Error(`the keyboard has no keycode ${keycode}`);
    return key.wire;
  }

  strokeOf(keysym: number, group: number): Stroke | undefined {
    return this.#strokesOf(group).byKeysym.get(keysym);
  }

  /** Any keysym of the layout that types the character serves. */
  strokeOfCharacter(character: string, group: number): Stroke | undefined {
    return this.#strokesOf(group).byCharacter.get(character);
  }

  #strokesOf(group: number): Strokes {
    const known = this.#strokes.get(group);
    if (known !== undefined) return known;
    const byKeysym = new Map<number, Stroke>();
    const byCharacter = new Map<string, Stroke>();
    for (const { keysym, stroke } of this.#allStrokes(group)) {
      if (!byKeysym.has(keysym)) byKeysym.set(keysym, stroke);
      const isKeypad = keysym >= keysyms.keypadFirst && keysym <= keysyms.keypadLast;
      const character = isKeypad ? undefined : characterOf(keysym);
      if (character !== undefined && !byCharacter.has(character)) byCharacter.set(character, stroke);
    }
    const strokes = { byKeysym, byCharacter };
    this.#strokes.set(group, strokes);
    return strokes;
  }

  #allStrokes(group: number): readonly { readonly keysym: number; readonly stroke: Stroke }[] {
    const found = this.#keys.flatMap(({ keycode, groups }) => {
      // A key with fewer groups than the keyboard wraps around.
      const inEffect = groups[groups.length === 0 ? 0 : group % groups.length];
      if (inEffect === undefined) return [];
      return inEffect.keysyms.flatMap((keysym, level) => {
        const held = keysym === 0 ? undefined : this.#heldFor(inEffect.type, level);
        return held === undefined ? [] : [{ keysym, stroke: { keycode, held } }];
      });
    });
    return found.sort((one, other) => one.stroke.held.length - other.stroke.held.length);
  }

  /** Returns undefined where only a lock, or Alt and the like, leads to the level. */
  #heldFor({ levels }: Key["groups"][number]["type"], level: number): readonly number[] | undefined {
    if (level === 0) return [];
    const ways = levels.flatMap((entry) => {
      const held = entry.level === level ? this.#keycodesOf(entry.modifiers) : undefined;
      return held === undefined ? [] : [held];
    });
    return ways.sort((one, other) => one.length - other.length)[0];
  }

  #keycodesOf(modifiers: number): readonly number[] | undefined {
    const keycodes: number[] = [];
    for (let bit = 1; bit <= 0x80; bit <<= 1) {
      if ((modifiers & bit) === 0) continue;
      const keycode = this.#levelModifiers.get(bit);
      if (keycode === undefined) return undefined;
      keycodes.push(keycode);
    }
    return keycodes;
  }
}

function isEmpty({ keysyms: symbols }: Key["groups"][number]): boolean {
  return symbols.every((keysym) => keysym === 0);
}

function has({ groups }: Key, wanted: ReadonlySet<number>): boolean {
  return groups.some(({ keysyms: symbols }) => wanted.has(symbols[0] ?? 0));
}
