import type { Box, Canvas } from "../drawing/canvas.ts";
import type { KeyPress } from "./key-press.ts";
import type { Look, Widget } from "./widget.ts";

export interface ButtonOptions {
  readonly name: string;
  readonly label: string;
  readonly bounds: Box;
  readonly isMain?: boolean;
  readonly isEnabled?: boolean;
  readonly isFlat?: boolean;
  readonly act: () => void;
}

export class Button implements Widget {
  readonly name: string;
  readonly bounds: Box;
  readonly isEnabled: boolean;
  readonly takesFocus: boolean;
  readonly #label: string;
  readonly #isMain: boolean;
  readonly #isFlat: boolean;
  readonly #act: () => void;

  constructor({ name, label, bounds, act, ...more }: ButtonOptions) {
    this.name = name;
    this.bounds = bounds;
    this.isEnabled = more.isEnabled ?? true;
    this.#label = label;
    this.#isMain = more.isMain ?? false;
    this.#isFlat = more.isFlat ?? false;
    this.takesFocus = this.isEnabled && !this.#isFlat;
    this.#act = act;
  }

  activate(): void {
    if (this.isEnabled) this.#act();
  }

  key({ name, character }: KeyPress): boolean {
    if (name !== "Return" && character !== " ") return false;
    this.activate();
    return true;
  }

  type(character: string): void {
    if (character === " ") this.activate();
  }

  draw(canvas: Canvas, { theme, isFocused, isHovered, isPressed }: Look): void {
    const { width, height } = this.bounds;
    const whole = { x: 0, y: 0, width, height };
    if (!this.isEnabled) {
      canvas.panel(whole, theme.border, theme.disabled);
      canvas.centeredText(whole, this.#label, { color: theme.disabledText });
      return;
    }
    const isDown = isPressed && isHovered;
    if (this.#isFlat) {
      if (isHovered) canvas.fillRound(whole, isDown ? theme.buttonPressed : theme.hovered);
      canvas.centeredText(whole, this.#label, { color: theme.titleText });
      return;
    }
    const [plain, hovered, pressed] = this.#isMain
      ? [theme.accent, theme.accentHovered, theme.accentPressed]
      : [theme.button, theme.hovered, theme.buttonPressed];
    const inside = isDown ? pressed : isHovered ? hovered : plain;
    const border = isFocused ? theme.text : this.#isMain ? theme.accentPressed : theme.border;
    canvas.panel(whole, border, inside, isFocused ? 2 : 1);
    const color = this.#isMain ? theme.accentText : theme.text;
    canvas.centeredText(whole, this.#label, { color, isBold: this.#isMain });
  }
}
