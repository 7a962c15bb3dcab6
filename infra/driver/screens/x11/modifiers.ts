import { setTimeout as sleep } from "node:timers/promises";
import type { Xkb } from "x11";
import { Refusal } from "../../answer.ts";
import type { DisplayConnection } from "./display-connection.ts";
import type { DriverMarks } from "./driver-marks.ts";
import type { FakeInput } from "./fake-input.ts";
import type { Keymap } from "./keymap.ts";

/** A person at the desktop releases a key within this time. */
const letGoMsMax = 2_000;
const letGoCheckMs = 50;
const allModifiers = 0xff;

export class Modifiers {
  readonly #connection: DisplayConnection;
  readonly #xkb: Xkb;
  readonly #input: FakeInput;
  readonly #marks: DriverMarks;

  constructor(options: { connection: DisplayConnection; xkb: Xkb; input: FakeInput; marks: DriverMarks }) {
    this.#connection = options.connection;
    this.#xkb = options.xkb;
    this.#input = options.input;
    this.#marks = options.marks;
  }

  async group(): Promise<number> {
    return (await this.#state()).group;
  }

  /**
   * NumLock stays, because it changes only the keypad.
   *
   * @throws {Refusal} 409 `modifier_held` when somebody at the desktop holds one down.
   */
  async takeOff(keymap: Keymap): Promise<() => void> {
    const [{ lockedMods, latchedMods }, down] = await Promise.all([this.#state(), this.#downIn(keymap)]);
    for (const keycode of down) this.#input.key(keycode, false);
    const putBack = () => {
      for (const keycode of down) this.#input.key(keycode, true);
    };
    if (down.length > 0) await this.#requireUp(keymap, down);
    const locked = lockedMods & ~keymap.numLockMask;
    if (locked === 0 && latchedMods === 0) return putBack;
    this.#marks.note({ lockedModifiers: locked });
    this.#lock(locked, 0);
    return () => {
      this.putLocksBack(locked);
      putBack();
    };
  }

  putLocksBack(locked: number): void {
    this.#lock(locked, locked);
    this.#marks.note({ lockedModifiers: 0 });
  }

  #lock(affected: number, locked: number): void {
    this.#xkb.LatchLockState(this.#xkb.UseCoreKbd, affected, locked, false, 0, allModifiers, 0, false, 0);
  }

  /** A modifier still down is held by a person: XTEST releases only keys that it pressed. */
  async #requireUp(keymap: Keymap, released: readonly number[]): Promise<void> {
    for (let waited = 0; waited <= letGoMsMax; waited += letGoCheckMs) {
      const still = await this.#downIn(keymap);
      if (still.length === 0) return;
      if (waited < letGoMsMax) await sleep(letGoCheckMs);
      else {
        for (const keycode of released) if (!still.includes(keycode)) this.#input.key(keycode, true);
      }
    }
    throw new Refusal(409, "modifier_held", "a modifier key is held down at the desktop; nothing was typed");
  }

  async #downIn(keymap: Keymap): Promise<readonly number[]> {
    const bits = await this.#connection.ask<Buffer>((reply) => this.#connection.client.QueryKeymap(reply));
    return [...keymap.modifierKeycodes].filter(
      (keycode) => ((bits[keycode >> 3] ?? 0) & (1 << (keycode & 7))) !== 0,
    );
  }

  #state() {
    return this.#connection.ask<{ group: number; lockedMods: number; latchedMods: number }>((reply) =>
      this.#xkb.GetState(this.#xkb.UseCoreKbd, reply),
    );
  }
}
