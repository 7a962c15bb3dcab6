import type { Point } from "../../driver/screens/screen.ts";
import { type Box, type Canvas, isInBox } from "../drawing/canvas.ts";
import type { Theme } from "../drawing/theme.ts";

const titleWidth = 56;
const itemHeight = 28;
const popupWidth = 190;

export interface MenuItem {
  readonly label: string;
  readonly shortcut?: string;
  readonly act: () => void;
}

export interface Menu {
  readonly title: string;
  readonly items: readonly MenuItem[];
}

export class MenuBar {
  readonly #bounds: Box;
  readonly #menus: readonly Menu[];
  #open: number | undefined;

  constructor(bounds: Box, menus: readonly Menu[]) {
    this.#bounds = bounds;
    this.#menus = menus;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  close(): void {
    this.#open = undefined;
  }

  /** With a menu open, any click is for the menus. */
  press(at: Point): boolean {
    const title = this.#menus.findIndex((_, index) => isInBox(at, this.#titleBox(index)));
    if (title >= 0) {
      this.#open = this.#open === title ? undefined : title;
      return true;
    }
    if (this.#open === undefined) return false;
    const item = this.#itemAt(at);
    this.#open = undefined;
    item?.act();
    return true;
  }

  drawBar(canvas: Canvas, theme: Theme, pointer: Point | undefined): void {
    canvas.fill(this.#bounds, theme.window);
    const { x, y, width, height } = this.#bounds;
    canvas.fill({ x, y: y + height - 1, width, height: 1 }, theme.border);
    for (const [index, { title }] of this.#menus.entries()) {
      const box = this.#titleBox(index);
      const isHovered = pointer !== undefined && isInBox(pointer, box);
      if (index === this.#open || isHovered) {
        canvas.fill(box, index === this.#open ? theme.selection : theme.hovered);
      }
      canvas.centeredText(box, title, { color: theme.text });
    }
  }

  drawPopup(canvas: Canvas, theme: Theme, pointer: Point | undefined): void {
    if (this.#open === undefined) return;
    const items = this.#menus[this.#open]?.items ?? [];
    canvas.panel(this.#popupBox(), theme.faintText, theme.field);
    for (const [index, { label, shortcut = "" }] of items.entries()) {
      const box = this.#itemBox(index);
      if (pointer !== undefined && isInBox(pointer, box)) canvas.fill(box, theme.selection);
      canvas.text({ x: box.x + 12, y: box.y + 5 }, label, { color: theme.text });
      canvas.text({ x: box.x + 126, y: box.y + 5 }, shortcut, { color: theme.faintText });
    }
  }

  #itemAt(at: Point): MenuItem | undefined {
    const items = this.#open === undefined ? [] : (this.#menus[this.#open]?.items ?? []);
    return items.find((_, index) => isInBox(at, this.#itemBox(index)));
  }

  #titleBox(index: number): Box {
    const { x, y, height } = this.#bounds;
    return { x: x + 8 + index * titleWidth, y, width: titleWidth, height: height - 1 };
  }

  #popupBox(): Box {
    const { x, y, height } = this.#titleBox(this.#open ?? 0);
    const count = this.#menus[this.#open ?? 0]?.items.length ?? 0;
    return { x, y: y + height, width: popupWidth, height: count * itemHeight + 8 };
  }

  #itemBox(index: number): Box {
    const { x, y, width } = this.#popupBox();
    return { x: x + 1, y: y + 4 + index * itemHeight, width: width - 2, height: itemHeight };
  }
}
