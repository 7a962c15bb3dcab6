import type { XDisplay } from "./x-display.ts";

interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Fills the display's background, or a part of it, without any program. */
export async function paintRoot({ connection }: XDisplay, color: number, part?: Part): Promise<void> {
  const { x, y, width, height } = part ?? { x: 0, y: 0, width: 0, height: 0 };
  connection.send("ChangeWindowAttributes", connection.root, { backgroundPixel: color });
  connection.send("ClearArea", connection.root, x, y, width, height, 0);
  await connection.sync();
}
