import type { DisplayConnection } from "./display-connection.ts";

const propertyName = "_DESKTOP_AUTOMATION_DRIVER";
const cardinal = 6;
const replace = 0;
const wordsMax = 4_096;

/** What a driver has changed on a display and has to give back. */
export interface Marks {
  /** Keycodes that characters were put on; they had no symbol. */
  readonly borrowedKeycodes: readonly number[];
  readonly heldKeycodes: readonly number[];
  readonly heldButtons: readonly number[];
  /** Locked modifiers, such as CapsLock, that were taken off. */
  readonly lockedModifiers: number;
}

const kinds = { borrowedKeycode: 1, heldKeycode: 2, heldButton: 3, lockedModifiers: 4 } as const;

/**
 * Keeps the marks in a property of the root window, so that the next driver finds what one that crashed has left.
 *
 * A property lives as long as the keyboard map and the keys that are down do: until the server ends.
 */
export class DriverMarks {
  readonly #connection: DisplayConnection;
  readonly #property: number;
  #marks: Marks = { borrowedKeycodes: [], heldKeycodes: [], heldButtons: [], lockedModifiers: 0 };

  private constructor(connection: DisplayConnection, property: number) {
    this.#connection = connection;
    this.#property = property;
  }

  static async of(connection: DisplayConnection): Promise<DriverMarks> {
    return new DriverMarks(connection, await connection.atom(propertyName));
  }

  get current(): Marks {
    return this.#marks;
  }

  /** What an earlier driver has left. */
  async readLeft(): Promise<Marks> {
    const { client, root } = this.#connection;
    const { data } = await this.#connection.ask<{ readonly data: Buffer }>((reply) =>
      client.GetProperty(0, root, this.#property, cardinal, 0, wordsMax, reply),
    );
    const pairs = Array.from({ length: Math.floor(data.byteLength / 8) }, (_, index) => ({
      kind: data.readUInt32LE(index * 8),
      value: data.readUInt32LE(index * 8 + 4),
    }));
    const valuesOf = (kind: number) => pairs.filter((pair) => pair.kind === kind).map(({ value }) => value);
    return {
      borrowedKeycodes: valuesOf(kinds.borrowedKeycode),
      heldKeycodes: valuesOf(kinds.heldKeycode),
      heldButtons: valuesOf(kinds.heldButton),
      lockedModifiers: valuesOf(kinds.lockedModifiers)[0] ?? 0,
    };
  }

  /** Notes a change; to be called before the change itself is sent. */
  note(change: Partial<Marks>): void {
    this.#marks = { ...this.#marks, ...change };
    const pairs = [
      ...this.#marks.borrowedKeycodes.map((keycode) => [kinds.borrowedKeycode, keycode]),
      ...this.#marks.heldKeycodes.map((keycode) => [kinds.heldKeycode, keycode]),
      ...this.#marks.heldButtons.map((button) => [kinds.heldButton, button]),
      ...(this.#marks.lockedModifiers === 0 ? [] : [[kinds.lockedModifiers, this.#marks.lockedModifiers]]),
    ].flat();
    const { client, root } = this.#connection;
    if (pairs.length === 0) client.DeleteProperty(root, this.#property);
    else client.ChangeProperty(replace, root, this.#property, cardinal, 32, pairs);
  }
}
