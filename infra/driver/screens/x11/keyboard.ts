import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../answer.ts";
import { keysymOf } from "../keysyms/keysyms.ts";
import { BorrowedKeys } from "./borrowed-keys.ts";
import type { DisplayConnection } from "./display-connection.ts";
import type { DriverMarks } from "./driver-marks.ts";
import type { FakeInput } from "./fake-input.ts";
import { FocusedProgram } from "./focused-program.ts";
import { Keymap, type Stroke } from "./keymap.ts";
import { Modifiers } from "./modifiers.ts";
import { planBatch } from "./typing-plan.ts";

/** A flooded program drops no key, but its queue grows. */
const strokesAtOnce = 25;
const pauseMs = 4;
const newKeyboardNotify = 0;
const mapNotify = 1;
const shiftLeft = 0xffe1;

export interface KeyboardOptions {
  readonly connection: DisplayConnection;
  readonly input: FakeInput;
  readonly marks: DriverMarks;
}

export class Keyboard {
  readonly #connection: DisplayConnection;
  readonly #input: FakeInput;
  readonly #marks: DriverMarks;
  readonly #borrowed: BorrowedKeys;
  readonly #modifiers: Modifiers;
  readonly #program: FocusedProgram;
  #keymap: Promise<Keymap> | undefined;

  private constructor(
    { connection, input, marks }: KeyboardOptions,
    modifiers: Modifiers,
    program: FocusedProgram,
  ) {
    this.#connection = connection;
    this.#input = input;
    this.#marks = marks;
    this.#borrowed = new BorrowedKeys(connection, marks);
    this.#modifiers = modifiers;
    this.#program = program;
  }

  static async of(options: KeyboardOptions): Promise<Keyboard> {
    const { connection } = options;
    const [xkb, program] = await Promise.all([connection.extension("xkb"), FocusedProgram.of(connection)]);
    const keyboard = new Keyboard(options, new Modifiers({ ...options, xkb }), program);
    const { NewKeyboardNotify, MapNotify } = xkb.EventType;
    const mask = NewKeyboardNotify | MapNotify;
    const allParts = 0xff;
    xkb.SelectEvents(xkb.UseCoreKbd, mask, 0, mask, allParts, allParts);
    connection.onEvent(({ type, name, xkbType }) => {
      const isXkb = type === xkb.firstEvent && (xkbType === newKeyboardNotify || xkbType === mapNotify);
      if (isXkb || name === "MappingNotify") keyboard.#keymap = undefined;
    });
    return keyboard;
  }

  /** The layout, locks and held modifiers do not matter. @throws {Refusal} before anything is typed. */
  async type(characters: readonly string[], signal: AbortSignal): Promise<void> {
    const keymap = await this.#readKeymap();
    const group = await this.#modifiers.group();
    const shift = keymap.strokeOf(shiftLeft, group)?.keycode;
    const plan = { keymap, group, slots: keymap.spare.length * (shift === undefined ? 1 : 2) };
    let rest = characters;
    let batch = planBatch(rest, plan);
    const putBack = await this.#modifiers.takeOff(keymap);
    let borrowed: readonly number[] = [];
    try {
      while (rest.length > 0) {
        const keysyms = batch.missing.map((character) => keysymOf(character) ?? 0);
        const strokes = await this.#borrowed.put(keysyms, keymap, shift ?? 0);
        borrowed = [...new Set([...borrowed, ...keymap.spare.slice(0, keysyms.length)])];
        if (keysyms.length > 0) await this.#program.hearOfChange();
        await this.#send(batch.characters, (character) => strokeFor(character, strokes, plan), signal);
        if (keysyms.length > 0) await this.#program.readKeys();
        rest = rest.slice(batch.characters.length);
        batch = planBatch(rest, plan);
      }
    } finally {
      if (this.#connection.isOpen) {
        await this.#borrowed.giveBack(borrowed, keymap);
        putBack();
      }
    }
    await this.#connection.sync();
  }

  async press(groups: readonly (readonly number[])[], signal: AbortSignal): Promise<void> {
    await this.#withKeys(groups, async (strokesOf) => {
      for (const group of groups) {
        signal.throwIfAborted();
        const keycodes = this.#keycodesOf(group.map(strokesOf));
        for (const keycode of keycodes) this.#input.key(keycode, true);
        for (const keycode of keycodes.toReversed()) this.#input.key(keycode, false);
      }
    });
  }

  async hold(groups: readonly (readonly number[])[]): Promise<void> {
    await this.#withKeys(groups, async (strokesOf) => {
      const keycodes = this.#keycodesOf(groups.flat().map(strokesOf));
      this.#marks.noteDown(keycodes.map((detail) => ({ kind: "key", detail })));
      for (const keycode of keycodes) this.#input.key(keycode, true);
    });
  }

  async release(groups: readonly (readonly number[])[]): Promise<void> {
    await this.#withKeys(groups, async (strokesOf) => {
      const keycodes = groups
        .flat()
        .map(strokesOf)
        .flatMap(({ held, keycode }) => [...held, keycode]);
      const unique = [...new Set(keycodes)];
      for (const keycode of unique.toReversed()) this.#input.key(keycode, false);
      this.#marks.noteUp(unique.map((detail) => ({ kind: "key", detail })));
    });
    await this.giveBackUnheld();
  }

  async giveBackUnheld(): Promise<void> {
    const unheld = this.#marks.current.borrowedKeycodes.filter((keycode) => !this.#marks.holdsKey(keycode));
    if (unheld.length > 0) await this.#borrowed.giveBack(unheld, await this.#readKeymap());
  }

  putLocksBack(locked: number): void {
    this.#modifiers.putLocksBack(locked);
  }

  /** Keys that stay down keep the keycodes borrowed for them. */
  async #withKeys(
    groups: readonly (readonly number[])[],
    act: (strokeOf: (keysym: number) => Stroke) => Promise<void>,
  ): Promise<void> {
    const [keymap, group] = await Promise.all([this.#readKeymap(), this.#modifiers.group()]);
    const missing = [...new Set(groups.flat())].filter(
      (keysym) => keymap.strokeOf(keysym, group) === undefined,
    );
    if (missing.length > keymap.spare.length) {
      throw new Refusal(
        422,
        "unknown_key",
        "the keyboard has no keys left for those that it lacks; nothing was pressed",
      );
    }
    const borrowed = await this.#borrowed.put(missing, keymap, 0);
    if (missing.length > 0) await this.#program.hearOfChange();
    try {
      await act((keysym) => {
        const stroke = keymap.strokeOf(keysym, group) ?? borrowed.get(keysym);
        if (stroke === undefined) throw new Error("a keysym has no key");
        return stroke;
      });
      if (missing.length > 0) await this.#program.readKeys();
    } finally {
      const free = [...borrowed.values()]
        .map(({ keycode }) => keycode)
        .filter((keycode) => !this.#marks.holdsKey(keycode));
      if (this.#connection.isOpen) await this.#borrowed.giveBack(free, keymap);
    }
    await this.#connection.sync();
  }

  #keycodesOf(strokes: readonly Stroke[]): readonly number[] {
    const keycodes = strokes.flatMap(({ held, keycode }) => [...held, keycode]);
    return [...new Set(keycodes)].filter((keycode) => !this.#marks.holdsKey(keycode));
  }

  async #send(
    characters: readonly string[],
    strokeOf: (character: string) => Stroke,
    signal: AbortSignal,
  ): Promise<void> {
    for (const [index, character] of characters.entries()) {
      if (index > 0 && index % strokesAtOnce === 0) {
        await this.#connection.sync();
        await sleep(pauseMs, undefined, { signal });
      }
      const { keycode, held } = strokeOf(character);
      for (const modifier of held) this.#input.key(modifier, true);
      this.#input.key(keycode, true);
      this.#input.key(keycode, false);
      for (const modifier of held.toReversed()) this.#input.key(modifier, false);
    }
    await this.#connection.sync();
  }

  #readKeymap(): Promise<Keymap> {
    if (this.#keymap !== undefined) return this.#keymap;
    const read = Keymap.read(this.#connection);
    this.#keymap = read;
    read.catch(() => {
      if (this.#keymap === read) this.#keymap = undefined;
    });
    return read;
  }
}

function strokeFor(
  character: string,
  borrowed: ReadonlyMap<number, Stroke>,
  { keymap, group }: { readonly keymap: Keymap; readonly group: number },
): Stroke {
  const keysym = keysymOf(character) ?? 0;
  const stroke = keymap.strokeOfCharacter(character, group) ?? borrowed.get(keysym);
  if (stroke === undefined) throw new Error("a character has no key");
  return stroke;
}
