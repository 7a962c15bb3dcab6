import { setTimeout as sleep } from "node:timers/promises";
import type { InputOf } from "../../desktops/desktop-operations.ts";
import { type MouseButton, type Point, pointOf, type ScrollDirection } from "../screen.ts";
import type { DisplayConnection } from "./display-connection.ts";
import type { DriverMarks } from "./driver-marks.ts";
import type { FakeInput } from "./fake-input.ts";
import type { KeyboardOptions } from "./keyboard.ts";
import type { Monitors } from "./monitors.ts";

const buttons: Readonly<Record<MouseButton, number>> = { left: 1, middle: 2, right: 3 };
const wheelButtons: Readonly<Record<ScrollDirection, number>> = { up: 4, down: 5, left: 6, right: 7 };
const wheelClicksAtOnce = 20;
const wheelPauseMs = 4;
/** Toolkits accept up to some 400 ms between the clicks of a double click. */
const clickDelayMs = 40;
const dragStepMs = 16;

export interface PointerOptions extends KeyboardOptions {
  readonly monitors: Monitors;
}

export class Pointer {
  readonly #connection: DisplayConnection;
  readonly #input: FakeInput;
  readonly #marks: DriverMarks;
  readonly #monitors: Monitors;

  constructor({ connection, input, marks, monitors }: PointerOptions) {
    this.#connection = connection;
    this.#input = input;
    this.#marks = marks;
    this.#monitors = monitors;
  }

  async position(): Promise<Point> {
    const { rootX, rootY } = await this.#connection.ask<{ readonly rootX: number; readonly rootY: number }>(
      (reply) => this.#connection.client.QueryPointer(this.#connection.root, reply),
    );
    return { x: rootX, y: rootY };
  }

  async move(to: Point): Promise<void> {
    await this.#moveTo(to);
    await this.#connection.sync();
  }

  async click({ button, clicks, down, ...point }: InputOf<"clickMouse">, signal: AbortSignal): Promise<void> {
    const detail = buttons[button];
    await this.#moveTo(pointOf(point));
    if (down !== undefined) this.#hold(detail, down);
    for (let click = 0; down === undefined && click < clicks; click += 1) {
      if (click > 0) await sleep(clickDelayMs, undefined, { signal });
      this.#input.button(detail, true);
      this.#input.button(detail, false);
    }
    await this.#connection.sync();
  }

  async drag(drag: InputOf<"dragMouse">, signal: AbortSignal): Promise<void> {
    const from = { x: drag.start_x, y: drag.start_y };
    const to = { x: drag.to_x, y: drag.to_y };
    const button = buttons[drag.button];
    const durationMs = (drag.duration ?? 0) * 1_000;
    const steps = Math.max(2, Math.round(durationMs / dragStepMs));
    await this.#monitors.requireShown(to);
    await this.#moveTo(from);
    this.#hold(button, true);
    const started = performance.now();
    try {
      for (let step = 1; step <= steps; step += 1) {
        const dueMs = (durationMs * step) / steps - (performance.now() - started);
        if (dueMs > 0) await sleep(dueMs, undefined, { signal });
        const share = step / steps;
        this.#input.moveTo(
          Math.round(from.x + (to.x - from.x) * share),
          Math.round(from.y + (to.y - from.y) * share),
        );
      }
    } finally {
      // Nobody could use a desktop whose button stays down.
      if (this.#connection.isOpen) this.#hold(button, false);
    }
    await this.#connection.sync();
  }

  async scroll({ direction, amount, ...point }: InputOf<"scrollMouse">, signal: AbortSignal): Promise<void> {
    if (amount === 0) return;
    await this.#moveTo(pointOf(point));
    for (let turned = 0; turned < amount; turned += 1) {
      if (turned > 0 && turned % wheelClicksAtOnce === 0) await sleep(wheelPauseMs, undefined, { signal });
      this.#input.button(wheelButtons[direction], true);
      this.#input.button(wheelButtons[direction], false);
    }
    await this.#connection.sync();
  }

  #hold(button: number, isDown: boolean): void {
    const input = { kind: "button", detail: button } as const;
    if (isDown) this.#marks.noteDown([input]);
    this.#input.button(button, isDown);
    if (!isDown) this.#marks.noteUp([input]);
  }

  async #moveTo(to: Point | undefined): Promise<void> {
    if (to === undefined) return;
    await this.#monitors.requireShown(to);
    this.#input.moveTo(to.x, to.y);
  }
}
