type ScrollDirection = "up" | "down" | "left" | "right";

export interface Turn {
  readonly direction: ScrollDirection;
  /** Clicks of the desktop's wheel. */
  readonly amount: number;
}

export interface WheelDelta {
  readonly deltaX: number;
  readonly deltaY: number;
  /** 0: pixels, 1: lines, 2: pages. */
  readonly deltaMode: number;
}

/** A click of a mouse's wheel is this many pixels, lines or pages in browsers. */
const clickSizes: readonly number[] = [100, 3, 1];

/** Counts whole clicks of the wheel; the small steps of a touchpad add up. */
export class Wheel {
  #x = 0;
  #y = 0;

  turn({ deltaX, deltaY, deltaMode }: WheelDelta): readonly Turn[] {
    const size = clickSizes[deltaMode] ?? 100;
    this.#x += deltaX / size;
    this.#y += deltaY / size;
    const [x, y] = [Math.trunc(this.#x), Math.trunc(this.#y)];
    this.#x -= x;
    this.#y -= y;
    return [
      ...(y === 0 ? [] : [{ direction: y > 0 ? ("down" as const) : ("up" as const), amount: Math.abs(y) }]),
      ...(x === 0
        ? []
        : [{ direction: x > 0 ? ("right" as const) : ("left" as const), amount: Math.abs(x) }]),
    ];
  }
}
