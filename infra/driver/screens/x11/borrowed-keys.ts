import type { DisplayConnection } from "./display-connection.ts";
import type { DriverMarks } from "./driver-marks.ts";
import type { Keymap, Stroke } from "./keymap.ts";
import { wireOf, writeXkbKeys } from "./xkb-map.ts";

export class BorrowedKeys {
  readonly #connection: DisplayConnection;
  readonly #marks: DriverMarks;

  constructor(connection: DisplayConnection, marks: DriverMarks) {
    this.#connection = connection;
    this.#marks = marks;
  }

  /**
   * @param keysyms must be at most twice as many as there are spare keys.
   * @param shift is the keycode that leads to the second keysym of a key.
   */
  async put(keysyms: readonly number[], keymap: Keymap, shift: number): Promise<ReadonlyMap<number, Stroke>> {
    const keycodes = keymap.spare.slice(0, keysyms.length);
    const borrowedKeycodes = [...new Set([...this.#marks.current.borrowedKeycodes, ...keycodes])];
    const byKeycode = new Map<number, readonly number[]>();
    const strokes = new Map<number, Stroke>();
    for (const [index, keycode] of keycodes.entries()) {
      const levels = [keysyms[index], keysyms[keycodes.length + index]].filter(
        (keysym) => keysym !== undefined,
      );
      byKeycode.set(keycode, levels);
      for (const [level, keysym] of levels.entries()) {
        strokes.set(keysym, { keycode, held: level === 0 ? [] : [shift] });
      }
    }
    if (keycodes.length > 0) this.#marks.note({ borrowedKeycodes });
    await this.#write(keymap, byKeycode);
    return strokes;
  }

  async giveBack(keycodes: readonly number[], keymap: Keymap): Promise<void> {
    if (keycodes.length === 0) return;
    await this.#write(keymap, new Map(keycodes.map((keycode) => [keycode, []])));
    const kept = this.#marks.current.borrowedKeycodes.filter((keycode) => !keycodes.includes(keycode));
    this.#marks.note({ borrowedKeycodes: kept });
  }

  /** All keys are changed by one request; keys between them are sent unchanged. */
  async #write(keymap: Keymap, keysyms: ReadonlyMap<number, readonly number[]>): Promise<void> {
    if (keysyms.size === 0) return;
    const first = Math.min(...keysyms.keys());
    const last = Math.max(...keysyms.keys());
    const wires = Array.from({ length: last - first + 1 }, (_, index) => {
      const given = keysyms.get(first + index);
      return given === undefined ? keymap.wireOf(first + index) : wireOf(given);
    });
    await writeXkbKeys(this.#connection, first, wires);
  }
}
