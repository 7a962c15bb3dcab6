import { type DisplayConnection, wordsIn } from "./display-connection.ts";

const propertyName = "_DESKTOP_AUTOMATION_DRIVER";
const cardinal = 6;
const replace = 0;
const wordsMax = 4_096;

export interface HeldInput {
  readonly kind: "key" | "button";
  readonly detail: number;
}

export interface Marks {
  /** These keycodes had no symbol before. */
  readonly borrowedKeycodes: readonly number[];
  readonly held: readonly HeldInput[];
  readonly lockedModifiers: number;
}

const kinds = { borrowed: 1, key: 2, button: 3, locked: 4 } as const;

/** A property of the root window lets the next driver find what a crashed one has left. */
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

  async readLeft(): Promise<Marks> {
    const { root } = this.#connection;
    const words = wordsIn(await this.#connection.property(root, this.#property, cardinal, wordsMax));
    const pairs = words.flatMap((kind, at) => (at % 2 === 0 ? { kind, value: words[at + 1] ?? 0 } : []));
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

  holdsKey(keycode: number): boolean {
    return this.#marks.held.some(({ kind, detail }) => kind === "key" && detail === keycode);
  }

  /** Must be called before the inputs go down. */
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

  /** Must be called before the change itself is sent. */
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
