import x11, { type Property, type XEvent } from "x11";
import { copiedBytesMax } from "../../../../shared/vocabulary/drivers.ts";
import { Refusal } from "../../answer.ts";
import type { DisplayConnection } from "./display-connection.ts";

/** A program that hangs never hands over its clipboard. */
const ownerMsMax = 3_000;
/** X measures a property in words of four bytes. */
const chunkWords = 65_536;
const inputOnly = 2;
const anyType = 0;
const newValue = 0;

/** The caller of the API reads this sentence. */
class ClipboardFailed extends Refusal {
  constructor(code: "clipboard_not_answered" | "too_large", message: string) {
    super(502, code, message);
  }
}

export class Clipboard {
  readonly #connection: DisplayConnection;
  readonly #window: number;
  readonly #atoms: Readonly<Record<"clipboard" | "utf8" | "latin1" | "increments" | "property", number>>;

  private constructor(connection: DisplayConnection, window: number, atoms: readonly number[]) {
    this.#connection = connection;
    this.#window = window;
    const [clipboard = 0, utf8 = 0, latin1 = 0, increments = 0, property = 0] = atoms;
    this.#atoms = { clipboard, utf8, latin1, increments, property };
  }

  static async of(connection: DisplayConnection): Promise<Clipboard> {
    const names = ["CLIPBOARD", "UTF8_STRING", "STRING", "INCR", "_DESKTOP_AUTOMATION_CLIPBOARD"];
    const atoms = await Promise.all(names.map((name) => connection.atom(name)));
    const { client, root } = connection;
    const window = client.AllocID();
    client.CreateWindow(window, root, -1, -1, 1, 1, 0, 0, inputOnly, 0, {
      eventMask: x11.eventMask.PropertyChange,
    });
    const clipboard = new Clipboard(connection, window, atoms);
    const fixes = await connection.findExtension("fixes");
    const ownerChanges = 1;
    fixes?.SelectSelectionInput(window, clipboard.#atoms.clipboard, ownerChanges);
    return clipboard;
  }

  untilTaken(ms: number): { readonly taken: Promise<void> } {
    const taken = Promise.withResolvers<void>();
    const stop = this.#connection.onEvent(({ name, selection, subtype }) => {
      if (name === "SelectionNotify" && subtype === 0 && selection === this.#atoms.clipboard) taken.resolve();
    });
    const timer = setTimeout(taken.resolve, ms);
    return {
      taken: taken.promise.finally(() => {
        clearTimeout(timer);
        stop();
      }),
    };
  }

  /** @throws {ClipboardFailed} when the owner of the clipboard does not hand it over, or it is too large. */
  async read(): Promise<string> {
    const utf8 = await this.#convert(this.#atoms.utf8);
    if (utf8 !== undefined) return utf8.toString("utf8");
    return (await this.#convert(this.#atoms.latin1))?.toString("latin1") ?? "";
  }

  /** Returns undefined where nobody owns the clipboard, or its owner does not offer this type. */
  async #convert(target: number): Promise<Buffer | undefined> {
    const { client } = this.#connection;
    const { clipboard, property, increments } = this.#atoms;
    const owner = await this.#connection.ask<number>((reply) => client.GetSelectionOwner(clipboard, reply));
    if (owner === 0) return undefined;
    const { event: answered } = this.#await(
      ({ name, requestor, selection }) =>
        name === "SelectionNotify" && requestor === this.#window && selection === clipboard,
    );
    client.DeleteProperty(this.#window, property);
    client.ConvertSelection(this.#window, clipboard, target, property);
    const none = 0;
    if ((await answered).property === none) return undefined;
    // From here on deleting a part makes the owner send the next one, so the wait has to begin first.
    const next = this.#nextPart();
    const first = await this.#takeProperty();
    if (first.type !== increments) {
      next.cancel();
      return first.data;
    }
    return await this.#readIncrements(next);
  }

  async #readIncrements(first: Awaitable): Promise<Buffer> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for (let next = first; ; ) {
      await next.event;
      next = this.#nextPart();
      const { data } = await this.#takeProperty();
      if (data.byteLength === 0) {
        next.cancel();
        return Buffer.concat(parts);
      }
      bytes += data.byteLength;
      if (bytes > copiedBytesMax) {
        next.cancel();
        throw new ClipboardFailed("too_large", `the clipboard holds more than ${copiedBytesMax} bytes`);
      }
      parts.push(data);
    }
  }

  async #takeProperty(): Promise<{ readonly type: number; readonly data: Buffer }> {
    const { client } = this.#connection;
    const parts: Buffer[] = [];
    for (let words = 0; ; words += chunkWords) {
      const { type, data, bytesAfter } = await this.#connection.ask<Property>((reply) =>
        client.GetProperty(1, this.#window, this.#atoms.property, anyType, words, chunkWords, reply),
      );
      parts.push(data);
      if (bytesAfter === 0) return { type, data: Buffer.concat(parts) };
    }
  }

  #nextPart(): Awaitable {
    return this.#await(
      ({ name, wid, atom, state }) =>
        name === "PropertyNotify" &&
        wid === this.#window &&
        atom === this.#atoms.property &&
        state === newValue,
    );
  }

  #await(isWanted: (event: XEvent) => boolean): Awaitable {
    const { promise, resolve, reject } = Promise.withResolvers<XEvent>();
    const stop = this.#connection.onEvent((event) => {
      if (isWanted(event)) resolve(event);
    });
    const timer = setTimeout(() => {
      const seconds = ownerMsMax / 1_000;
      reject(
        new ClipboardFailed(
          "clipboard_not_answered",
          `the program that owns the clipboard did not hand it over within ${seconds} s`,
        ),
      );
    }, ownerMsMax);
    const cancel = () => {
      clearTimeout(timer);
      stop();
    };
    const event = promise.finally(cancel);
    event.catch(() => undefined);
    return { event, cancel };
  }
}

interface Awaitable {
  readonly event: Promise<XEvent>;
  cancel(): void;
}
