import type { MouseButton, Point, ScrollDirection } from "../driver/screens/screen.ts";
import { type DeskOptions, luckOf } from "./desk-options.ts";
import {
  drawDesktopIcon,
  drawProgramIcon,
  drawSpinner,
  drawSplash,
  drawTaskbar,
  drawWallpaper,
  iconBox,
  taskbarHeight,
} from "./draw-surroundings.ts";
import { type Box, Canvas, isInBox } from "./drawing/canvas.ts";
import { type Theme, themes } from "./drawing/theme.ts";
import { OrderBook } from "./order-book.ts";
import { type OrderForm, titleBarHeight, windowSize } from "./order-form.ts";
import { OrdersWindow, type OrdersWindowOptions } from "./orders-window.ts";
import { type KeyPress, keyPressOf } from "./widgets/key-press.ts";
import type { PanelLook } from "./widgets/panel.ts";

const usualPlace = { x: 200, y: 70 };
const secondClickMs = 500;
const secondClickPixels = 4;
const blinkMs = 500;
const spinnerMs = 50;

export interface DeskWorld {
  readonly now: () => number;
  readonly exportTo: OrdersWindowOptions["exportTo"];
}

interface Press {
  readonly at: Point;
  readonly time: number;
}

export class Desk {
  readonly #options: DeskOptions;
  readonly #world: DeskWorld;
  readonly #book: OrderBook;
  readonly #openingMs: number;
  readonly #keys = new Set<number>();
  #place: Point;
  #window: OrdersWindow | undefined;
  #opensAt = 0;
  #isIconSelected = false;
  #pointer: Point;
  #lastPress: Press | undefined;
  /** The offset from the window's corner to the point where its title bar is held. */
  #grip: Point | undefined;
  #clipboard = "";
  #lastInput: number;
  #late: readonly { readonly character: string; readonly shownAt: number }[] = [];

  constructor(options: DeskOptions, pointer: Point, world: DeskWorld) {
    const { seed, openingMs, size } = options;
    const luck = luckOf(seed);
    this.#options = options;
    this.#world = world;
    this.#pointer = pointer;
    this.#book = new OrderBook(luck.firstOrder);
    this.#openingMs = openingMs ?? luck.openingMs;
    // A small display shows at least the window's upper left part.
    this.#place = {
      x: Math.max(0, Math.min(usualPlace.x, size.width - windowSize.width - 40) + luck.moved.x),
      y: Math.max(0, Math.min(usualPlace.y, size.height - taskbarHeight - windowSize.height) + luck.moved.y),
    };
    this.#lastInput = world.now();
    if (options.open) this.#open(0);
  }

  get clipboard(): string {
    return this.#clipboard;
  }

  get orders(): OrderBook["orders"] {
    return this.#book.orders;
  }

  boundsOf(name: keyof OrderForm): Box | undefined {
    const bounds = this.#shownWindow(this.#world.now())?.form[name].bounds;
    return bounds && { ...bounds, x: bounds.x + this.#place.x, y: bounds.y + this.#place.y };
  }

  get isOpen(): boolean {
    return this.#shownWindow(this.#world.now()) !== undefined;
  }

  /** @returns whether the program was open, or about to be. */
  openProgram(ifOpen: "use" | "restart"): boolean {
    const wasOpen = this.#window !== undefined;
    this.#isIconSelected = false;
    this.#lastInput = this.#world.now();
    if (!wasOpen || ifOpen === "restart") this.#open(this.#openingMs);
    return wasOpen;
  }

  get idle(): Promise<void> {
    return this.#window?.idle ?? Promise.resolve();
  }

  move(to: Point): void {
    this.#pointer = to;
    if (this.#grip !== undefined) this.#place = { x: to.x - this.#grip.x, y: to.y - this.#grip.y };
  }

  button(button: MouseButton, isDown: boolean): void {
    if (button !== "left") return;
    this.#showLetters();
    this.#lastInput = this.#world.now();
    if (isDown) {
      this.#press();
      return;
    }
    this.#grip = undefined;
    this.#shownWindow(this.#lastInput)?.release(this.#inWindow());
  }

  scroll(direction: ScrollDirection, amount: number): void {
    if (direction === "left" || direction === "right") return;
    this.#showLetters();
    if (!isInBox(this.#pointer, this.#windowBox())) return;
    const window = this.#shownWindow(this.#world.now());
    window?.scroll(this.#inWindow(), direction === "down" ? amount : -amount);
  }

  type(characters: readonly string[]): void {
    this.#showLetters();
    this.#lastInput = this.#world.now();
    const { lateLettersMs, letterMs } = this.#options;
    const firstAt = this.#lastInput + lateLettersMs;
    this.#late = characters.map((character, at) => ({ character, shownAt: firstAt + at * letterMs }));
    this.#showLetters(this.#lastInput);
  }

  /** A busy program shows letters late, but before it does anything else. */
  #showLetters(now = Number.POSITIVE_INFINITY): void {
    const shown = this.#late.filter(({ shownAt }) => shownAt <= now);
    this.#late = this.#late.slice(shown.length);
    for (const { character } of shown) this.#shownWindow(this.#lastInput)?.type(character);
  }

  key(keysym: number, isDown: boolean): void {
    this.#showLetters();
    this.#lastInput = this.#world.now();
    const key = keyPressOf(keysym, this.#keys);
    if (isDown) this.#keys.add(keysym);
    else this.#keys.delete(keysym);
    if (!isDown || key === undefined) return;
    const window = this.#shownWindow(this.#lastInput);
    if (window !== undefined) this.#pressKey(window, key);
    else if (this.#isIconSelected && key.name === "Return") this.#open(this.#openingMs);
  }

  /** The time at which the desk draws something else though nobody touches it. @returns undefined for never */
  nextChange(now: number): number | undefined {
    const { clock, spinner } = this.#options;
    const shown = this.#shownWindow(now);
    const times = [
      ...this.#late.map(({ shownAt }) => shownAt),
      ...(this.#window !== undefined && shown === undefined ? [this.#opensAt] : []),
      ...(shown === undefined ? [] : [nextMultiple(now - this.#lastInput, blinkMs) + this.#lastInput]),
      ...(shown !== undefined && spinner ? [now + spinnerMs] : []),
      ...(clock ? [nextMultiple(now, 1_000)] : []),
    ];
    return times.length === 0 ? undefined : Math.min(...times);
  }

  draw(words: Int32Array, now: number): void {
    this.#showLetters(now);
    const { size, clock, spinner } = this.#options;
    const theme = themes[this.#options.theme];
    const canvas = Canvas.of(words, size);
    drawWallpaper(canvas, size, theme);
    drawDesktopIcon(canvas, theme, this.#isIconSelected);
    const window = this.#shownWindow(now);
    if (window !== undefined) {
      const box = this.#windowBox();
      const part = canvas.within(box);
      const showsCursor = Math.floor((now - this.#lastInput) / blinkMs) % 2 === 0;
      const pointer = isInBox(this.#pointer, box) ? this.#inWindow() : undefined;
      drawWindow(window, part, { theme, showsCursor, pointer });
      if (spinner) {
        const at = { x: windowSize.width - 28, y: windowSize.height - 23, width: 18, height: 18 };
        drawSpinner(part.within(at), theme, now);
      }
    } else if (this.#window !== undefined) {
      drawSplash(canvas, size, theme);
    }
    const time = new Date(now).toISOString().slice(11, 19);
    drawTaskbar(canvas, size, theme, { isOpen: window !== undefined, clock: clock ? time : undefined });
  }

  #press(): void {
    const press = { at: this.#pointer, time: this.#lastInput };
    const isSecond = this.#lastPress !== undefined && isSecondClick(this.#lastPress, press);
    // A third press in a row counts as a first one again.
    this.#lastPress = isSecond ? undefined : press;
    const window = this.#shownWindow(press.time);
    if (window !== undefined && isInBox(press.at, this.#windowBox())) {
      this.#isIconSelected = false;
      this.#pressWindow(window, isSecond);
      return;
    }
    this.#isIconSelected = isInBox(press.at, iconBox);
    if (this.#isIconSelected && isSecond) this.#open(this.#openingMs);
  }

  #pressWindow(window: OrdersWindow, isSecond: boolean): void {
    const at = this.#inWindow();
    const isTitleBar = at.y < titleBarHeight && !isInBox(at, window.form.close.bounds);
    if (isTitleBar) this.#grip = at;
    else window.press(at, isSecond);
  }

  #pressKey(window: OrdersWindow, key: KeyPress): void {
    const { focused } = window;
    const shortcut = key.isCtrl ? key.character?.toLowerCase() : undefined;
    if (shortcut === "c" || shortcut === "x") {
      this.#clipboard = focused?.selectedText ?? this.#clipboard;
      if (shortcut === "x") focused?.cut?.();
    } else if (shortcut === "v") {
      for (const character of this.#clipboard) focused?.type?.(character);
    } else {
      window.key(key);
    }
  }

  #open(afterMs: number): void {
    this.#isIconSelected = false;
    this.#opensAt = this.#world.now() + afterMs;
    this.#window = new OrdersWindow({
      options: this.#options,
      book: this.#book,
      exportTo: this.#world.exportTo,
      close: () => {
        this.#window = undefined;
      },
    });
  }

  #shownWindow(now: number): OrdersWindow | undefined {
    return now < this.#opensAt ? undefined : this.#window;
  }

  #windowBox(): Box {
    return { ...this.#place, ...windowSize };
  }

  #inWindow(): Point {
    return { x: this.#pointer.x - this.#place.x, y: this.#pointer.y - this.#place.y };
  }
}

function nextMultiple(of: number, step: number): number {
  return (Math.floor(of / step) + 1) * step;
}

function isSecondClick(first: Press, second: Press): boolean {
  return (
    second.time - first.time <= secondClickMs &&
    Math.abs(second.at.x - first.at.x) <= secondClickPixels &&
    Math.abs(second.at.y - first.at.y) <= secondClickPixels
  );
}

const rightPart = 322;
const statusTop = windowSize.height - 28;

function drawWindow(window: OrdersWindow, canvas: Canvas, look: PanelLook): void {
  const { theme, pointer } = look;
  const { menus, panel, dialog } = window;
  const behind = { ...look, pointer: dialog === undefined && !menus.isOpen ? pointer : undefined };
  drawFrame(canvas, theme);
  menus.drawBar(canvas, theme, behind.pointer);
  drawTexts(window, canvas, theme);
  panel.draw(canvas, behind);
  menus.drawPopup(canvas, theme, pointer);
  dialog?.draw(canvas, look);
}

function drawFrame(canvas: Canvas, theme: Theme): void {
  const { width, height } = windowSize;
  canvas.panel({ x: 0, y: 0, width, height }, theme.faintText, theme.window);
  canvas.fill({ x: 1, y: 3, width: width - 2, height: titleBarHeight - 3 }, theme.titleBar);
  canvas.fill({ x: 3, y: 1, width: width - 6, height: 2 }, theme.titleBar);
  drawProgramIcon(canvas.within({ x: 10, y: 8, width: 20, height: 20 }), theme);
  canvas.text({ x: 38, y: 9 }, "Orders", { color: theme.titleText, isBold: true });
}

function drawTexts(window: OrdersWindow, canvas: Canvas, theme: Theme): void {
  const { width } = windowSize;
  const heading = { color: theme.text, isBold: true };
  canvas.text({ x: 16, y: 74 }, "Customers", heading);
  canvas.text({ x: rightPart, y: 74 }, "New order", heading);
  canvas.text({ x: rightPart, y: 450 }, "Orders of this session", heading);
  if (window.confirmed !== undefined) {
    const text = `✓  Order ${window.confirmed} saved`;
    canvas.panel({ x: rightPart, y: 404, width: 300, height: 32 }, theme.good, theme.goodBack);
    canvas.text({ x: rightPart + 12, y: 411 }, text, { color: theme.good, isBold: true });
  }
  canvas.fill({ x: 1, y: statusTop, width: width - 2, height: 1 }, theme.border);
  const { kind, text } = window.status;
  canvas.text({ x: 16, y: statusTop + 5 }, text, { color: kind === "bad" ? theme.bad : theme.faintText });
}
