import type { Xtest } from "x11";
import type { DisplayConnection } from "./display-connection.ts";

/** The server acts in the order of the calls. */
export class FakeInput {
  readonly #xtest: Xtest;
  readonly #root: number;

  private constructor(xtest: Xtest, root: number) {
    this.#xtest = xtest;
    this.#root = root;
  }

  static async of(connection: DisplayConnection): Promise<FakeInput> {
    return new FakeInput(await connection.extension("xtest"), connection.root);
  }

  key(keycode: number, isDown: boolean): void {
    const { KeyPress, KeyRelease } = this.#xtest;
    this.#xtest.FakeInput(isDown ? KeyPress : KeyRelease, keycode, 0, 0, 0, 0);
  }

  button(button: number, isDown: boolean): void {
    const { ButtonPress, ButtonRelease } = this.#xtest;
    this.#xtest.FakeInput(isDown ? ButtonPress : ButtonRelease, button, 0, 0, 0, 0);
  }

  moveTo(x: number, y: number): void {
    this.#xtest.FakeInput(this.#xtest.MotionNotify, 0, 0, this.#root, x, y);
  }
}
