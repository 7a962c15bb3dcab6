import type { DisplayConnection } from "./display-connection.ts";
import type { DriverMarks } from "./driver-marks.ts";
import type { Stroke } from "./keymap.ts";

const none = 0;

/** Puts keysyms that the keyboard lacks on keycodes that have none, and gives those back. */
export class BorrowedKeys {
  readonly #connection: DisplayConnection;
  readonly #marks: DriverMarks;

  constructor(connection: DisplayConnection, marks: DriverMarks) {
    this.#connection = connection;
    this.#marks = marks;
  }

  /**
   * Puts keysyms on keys, two on each where one on each is not enough.
   *
   * @param keysyms at most twice as many as keycodes.
   * @param shift the keycode that leads to the second one.
   * @returns how each is pressed.
   */
  put(keysyms: readonly number[], keycodes: readonly number[], shift: number): ReadonlyMap<number, Stroke> {
    if (keysyms.length === 0) return new Map();
    const used = keycodes.slice(0, keysyms.length);
    this.#marks.note({
      borrowedKeycodes: [...new Set([...this.#marks.current.borrowedKeycodes, ...used])],
    });
    const strokes = new Map<number, Stroke>();
    for (const [index, keycode] of used.entries()) {
      const first = keysyms[index] ?? none;
      // Alone on its key it stands on both levels: the server would put its capital on the second one.
      const second = keysyms[used.length + index] ?? first;
      this.#connection.client.ChangeKeyboardMapping(keycode, 2, [first, second]);
      strokes.set(first, { keycode, held: [] });
      if (second !== first) strokes.set(second, { keycode, held: [shift] });
    }
    return strokes;
  }

  giveBack(keycodes: readonly number[]): void {
    if (keycodes.length === 0) return;
    for (const keycode of keycodes) this.#connection.client.ChangeKeyboardMapping(keycode, 1, [none]);
    const kept = this.#marks.current.borrowedKeycodes.filter((keycode) => !keycodes.includes(keycode));
    this.#marks.note({ borrowedKeycodes: kept });
  }
}
