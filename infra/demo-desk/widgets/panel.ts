import type { Point } from "../../driver/screens/screen.ts";
import { type Canvas, isInBox } from "../drawing/canvas.ts";
import type { Theme } from "../drawing/theme.ts";
import type { Button } from "./button.ts";
import type { KeyPress } from "./key-press.ts";
import type { Widget } from "./widget.ts";

export interface PanelOptions {
  readonly widgets: readonly Widget[];
  readonly main: Button;
  readonly cancel?: () => void;
  /** This widget loses the keyboard again once it was clicked. */
  readonly losesFocus?: string | undefined;
  readonly hovered?: string | undefined;
}

export interface PanelLook {
  readonly theme: Theme;
  readonly showsCursor: boolean;
  readonly pointer: Point | undefined;
}

export class Panel {
  readonly #options: PanelOptions;
  #focused: Widget | undefined;
  #pressed: Widget | undefined;

  constructor(options: PanelOptions) {
    this.#options = options;
  }

  get focused(): Widget | undefined {
    return this.#focused;
  }

  focus(widget: Widget | undefined): void {
    this.#focused = widget;
  }

  press(at: Point, isSecond: boolean): void {
    const widget = this.#at(at);
    this.#pressed = widget;
    if (widget?.takesFocus === true) this.#focused = widget;
    if (widget?.labelled !== undefined) this.#enter(widget.labelled);
    widget?.press?.({ x: at.x - widget.bounds.x, y: at.y - widget.bounds.y }, isSecond);
  }

  release(at: Point): void {
    const pressed = this.#pressed;
    this.#pressed = undefined;
    if (pressed !== undefined && pressed === this.#focused && pressed.name === this.#options.losesFocus) {
      this.#focused = undefined;
    }
    if (pressed !== undefined && pressed === this.#at(at)) pressed.activate?.();
  }

  scroll(at: Point, rows: number): void {
    this.#at(at)?.scroll?.(rows);
  }

  key(key: KeyPress): void {
    if (key.name === "Tab" || key.name === "BackTab") {
      this.#step(key.isShift || key.name === "BackTab" ? -1 : 1);
      return;
    }
    if (this.#focused?.key?.(key) === true) return;
    if (key.name === "Return") this.#options.main.activate();
    if (key.name === "Escape") this.#options.cancel?.();
  }

  type(character: string): void {
    if (character === "\n" || character === "\t") {
      this.key({ name: character === "\t" ? "Tab" : "Return", isShift: false, isCtrl: false });
      return;
    }
    this.#focused?.type?.(character);
  }

  draw(canvas: Canvas, { theme, showsCursor, pointer }: PanelLook): void {
    const hovered = pointer === undefined ? undefined : this.#at(pointer);
    for (const widget of this.#options.widgets) {
      const { bounds } = widget;
      const isUnderPointer = widget === hovered && pointer !== undefined;
      widget.draw(canvas.within(bounds), {
        theme,
        showsCursor,
        isFocused: widget === this.#focused,
        isPressed: widget === this.#pressed,
        isHovered: isUnderPointer || widget.name === this.#options.hovered,
        pointer: isUnderPointer ? { x: pointer.x - bounds.x, y: pointer.y - bounds.y } : undefined,
      });
    }
  }

  #at(point: Point): Widget | undefined {
    return this.#options.widgets.find(({ bounds }) => isInBox(point, bounds));
  }

  #step(by: 1 | -1): void {
    const reachable = this.#options.widgets.filter(({ takesFocus }) => takesFocus);
    const current = this.#focused === undefined ? -1 : reachable.indexOf(this.#focused);
    const start = current < 0 && by < 0 ? 0 : current;
    this.#enter(reachable[(start + by + reachable.length) % reachable.length]);
  }

  #enter(widget: Widget | undefined): void {
    this.#focused = widget;
    widget?.enter?.();
  }
}
