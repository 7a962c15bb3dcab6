import type { DisplayConnection } from "./display-connection.ts";

const propertyName = "_DESKTOP_AUTOMATION_DRIVER";
const cardinal = 6;
const replace = 0;
const wordsMax = 4_096;

/** A keycode, or a button's number. */
export interface HeldInput {
  readonly kind: "key" | "button";
  readonly detail: number;
}

/** Changes of a driver to a display that have to be undone. */
export interface Marks {
  /** Keycodes that characters were put on; they had no symbol. */
  readonly borrowedKeycodes: readonly number[];
  /** Held keys and buttons in the order in which they went down. */
  readonly held: readonly HeldInput[];
  /** Locked modifiers, such as CapsLock, that were taken off. */
  readonly lockedModifiers: number;
}

/** The kinds of mark in the property. */
const kinds = { borrowed: 1, key: 2, button: 3, locked: 4 } as const;

/**
 * Keeps the marks in a property of the root window, so that the next driver finds what one that crashed has left.
 *
 * A property lives as long as the keyboard map and the keys that are down do: until the server ends.
 */
export class DriverMarks {
  readonly #connection: DisplayConnection;
  readonly #property: number;
  #marks: Marks = { borrowedKeycodes: [], held: [], lockedModifiers: 0 };

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

  /** Reads the marks that an earlier driver left. */
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
      borrowedKeycodes: valuesOf(kinds.borrowed),
      held: pairs.flatMap(({ kind, value }): HeldInput[] => {
        if (kind !== kinds.key && kind !== kinds.button) return [];
        return [{ kind: kind === kinds.key ? "key" : "button", detail: value }];
      }),
      lockedModifiers: valuesOf(kinds.locked)[0] ?? 0,
    };
  }

  /** Whether a key is down because of this driver. */
  holdsKey(keycode: number): boolean {
    return this.#marks.held.some(({ kind, detail }) => kind === "key" && detail === keycode);
  }

  /** Notes what goes down; to be called before it does. */
  noteDown(inputs: readonly HeldInput[]): void {
    this.note({ held: [...this.#without(inputs), ...inputs] });
  }

  noteUp(inputs: readonly HeldInput[]): void {
    this.note({ held: this.#without(inputs) });
  }

  #without(inputs: readonly HeldInput[]): readonly HeldInput[] {
    return this.#marks.held.filter(
      (held) => !inputs.some(({ kind, detail }) => kind === held.kind && detail === held.detail),
    );
  }

  /** Notes a change; to be called before the change itself is sent. */
  note(change: Partial<Marks>): void {
    this.#marks = { ...this.#marks, ...change };
    const { borrowedKeycodes, held, lockedModifiers } = this.#marks;
    const pairs = [
      ...borrowedKeycodes.map((keycode) => [kinds.borrowed, keycode]),
      ...held.map(({ kind, detail }) => [kinds[kind], detail]),
      ...(lockedModifiers === 0 ? [] : [[kinds.locked, lockedModifiers]]),
    ].flat();
    const { client, root } = this.#connection;
    if (pairs.length === 0) client.DeleteProperty(root, this.#property);
    else client.ChangeProperty(replace, root, this.#property, cardinal, 32, pairs);
  }
}
