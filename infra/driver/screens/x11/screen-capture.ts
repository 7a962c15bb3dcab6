import type { Fixes, Shm, ShmSegment } from "x11";
import { createTurn } from "../../desktops/turn.ts";
import type { Frame, PointerPicture } from "../pictures/frame.ts";
import type { Point, Size } from "../screen.ts";
import type { DisplayConnection } from "./display-connection.ts";
import { type PixelFormat, pixelFormatOf, toFrame } from "./pixel-format.ts";

const zPixmap = 2;
const allPlanes = 0xffff_ffff;

/** Shared memory is used if the server is on this machine, and otherwise the socket. */
export class ScreenCapture {
  readonly #connection: DisplayConnection;
  readonly #format: PixelFormat;
  readonly #shm: Shm | undefined;
  readonly #fixes: Fixes | undefined;
  /** A segment holds one picture at a time. */
  readonly #inTurn = createTurn();
  #segment: ShmSegment | undefined;

  private constructor(connection: DisplayConnection, shm: Shm | undefined, fixes: Fixes | undefined) {
    this.#connection = connection;
    this.#format = pixelFormatOf(connection);
    this.#shm = shm;
    this.#fixes = fixes;
  }

  static async of(connection: DisplayConnection): Promise<ScreenCapture> {
    const [shm, fixes] = await Promise.all([
      connection.findExtension("shm"),
      connection.findExtension("fixes"),
    ]);
    const isUsable = shm !== undefined && (await connection.ask<boolean>((reply) => shm.usable(reply)));
    return new ScreenCapture(connection, isUsable ? shm : undefined, fixes);
  }

  async frame({ width, height }: Size, takeMemory: (bytes: number) => Uint8Array): Promise<Frame> {
    const data = await this.#inTurn(() => this.#read(width, height, takeMemory));
    return toFrame({ width, height, data, format: this.#format });
  }

  async pointer(): Promise<PointerPicture | undefined> {
    const fixes = this.#fixes;
    if (fixes === undefined) return undefined;
    const { x, y, xhot, yhot, width, height, cursorImage } = await this.#connection.ask<
      Point & Size & { readonly xhot: number; readonly yhot: number; readonly cursorImage: Buffer }
    >((reply) => fixes.GetCursorImage(reply));
    const argb = new Uint32Array(width * height);
    for (let index = 0; index < argb.length; index += 1) argb[index] = cursorImage.readUInt32LE(index * 4);
    return { x: x - xhot, y: y - yhot, width, height, argb };
  }

  async #read(width: number, height: number, takeMemory: (bytes: number) => Uint8Array): Promise<Uint8Array> {
    const bytes = this.#format.bytesPerRow(width) * height;
    const segment = await this.#segmentOf(bytes);
    const { client, root } = this.#connection;
    if (segment === undefined) {
      const { data } = await this.#connection.ask<{ readonly data: Buffer }>((reply) =>
        client.GetImage(zPixmap, root, 0, 0, width, height, allPlanes, reply),
      );
      return data;
    }
    await this.#connection.ask<{ readonly size: number }>((reply) =>
      segment.getImage(root, 0, 0, width, height, allPlanes, zPixmap, 0, reply),
    );
    // The segment is used again for the next picture.
    const pixels = takeMemory(bytes);
    pixels.set(segment.buffer.subarray(0, bytes));
    return pixels;
  }

  async #segmentOf(bytes: number): Promise<ShmSegment | undefined> {
    const shm = this.#shm;
    if (shm === undefined || (this.#segment !== undefined && this.#segment.size >= bytes))
      return this.#segment;
    this.#segment?.detach();
    this.#segment = await this.#connection.ask<ShmSegment>((reply) => shm.createSegment(bytes, reply));
    return this.#segment;
  }
}
