import type { DisplayConnection } from "./display-connection.ts";

export type FakeInput = Awaited<ReturnType<typeof openFakeInput>>;

/** The server acts in the order of the calls. */
export async function openFakeInput(connection: DisplayConnection) {
  const xtest = await connection.extension("xtest");
  return {
    key: (keycode: number, isDown: boolean) =>
      xtest.FakeInput(isDown ? xtest.KeyPress : xtest.KeyRelease, keycode, 0, 0, 0, 0),
    button: (button: number, isDown: boolean) =>
      xtest.FakeInput(isDown ? xtest.ButtonPress : xtest.ButtonRelease, button, 0, 0, 0, 0),
    moveTo: (x: number, y: number) => xtest.FakeInput(xtest.MotionNotify, 0, 0, connection.root, x, y),
  };
}
