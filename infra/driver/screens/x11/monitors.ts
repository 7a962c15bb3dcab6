import x11, { type Randr } from "x11";
import { Refusal } from "../../answer.ts";
import { type Point, requireInside, type Size } from "../screen.ts";
import type { DisplayConnection } from "./display-connection.ts";

interface Area extends Point, Size {}

export class Monitors {
  readonly #connection: DisplayConnection;
  readonly #randr: Randr | undefined;
  #size: Size;
  #areas: Promise<readonly Area[]> | undefined;

  private constructor(connection: DisplayConnection, randr: Randr | undefined) {
    this.#connection = connection;
    this.#randr = randr;
    this.#size = { width: connection.screen.pixel_width, height: connection.screen.pixel_height };
  }

  static async of(connection: DisplayConnection): Promise<Monitors> {
    const randr = await connection.findExtension("randr");
    const monitors = new Monitors(connection, randr);
    connection.onEvent((event) => {
      const { name, wid1: window, width = 0, height = 0 } = event;
      if (name === "ConfigureNotify" && window === connection.root) monitors.#size = { width, height };
      // The package distinguishes RandR's events only by their names.
      if (name === "ConfigureNotify" || name?.startsWith("RR") === true) monitors.#areas = undefined;
    });
    randr?.SelectInput(connection.root, randr.NotifyMask.ScreenChange | randr.NotifyMask.CrtcChange);
    return monitors;
  }

  get size(): Size {
    return this.#size;
  }

  /** The server would move the pointer onto the nearest monitor. @throws {Refusal} 422 `outside_display`. */
  async requireShown(point: Point): Promise<void> {
    requireInside(point, this.#size);
    const areas = await this.areas();
    const isShown = areas.some(
      ({ x, y, width, height }) =>
        point.x >= x && point.y >= y && point.x < x + width && point.y < y + height,
    );
    if (isShown || areas.length === 0) return;
    throw new Refusal(
      422,
      "outside_display",
      `(${point.x}, ${point.y}) is on none of the ${areas.length} monitors`,
    );
  }

  /** The desktop's setting `Xft.dpi` is relative to 96; points and pictures do not depend on it. */
  async scale(): Promise<number> {
    const [resourceManager, string] = [23, 31];
    const { root } = this.#connection;
    const data = await this.#connection.property(root, resourceManager, string, 16_384);
    const [, dots] = /^Xft\.dpi:\s*(\d+(?:\.\d+)?)\s*$/m.exec(data.toString("latin1")) ?? [];
    return dots === undefined ? 1 : Number(dots) / 96;
  }

  async areas(): Promise<readonly Area[]> {
    this.#areas ??= this.#readAreas().catch((error: unknown) => {
      this.#areas = undefined;
      throw error;
    });
    return await this.#areas;
  }

  async #readAreas(): Promise<readonly Area[]> {
    const randr = this.#randr;
    if (randr === undefined) return [];
    const { crtcs, config_timestamp: timestamp } = await this.#connection.ask<{
      readonly crtcs: readonly number[];
      readonly config_timestamp: number;
    }>((reply) => randr.GetScreenResourcesCurrent(this.#connection.root, reply));
    const infos = await Promise.all(
      crtcs.map((crtc) =>
        this.#connection.ask<Area & { readonly mode: number }>((reply) =>
          randr.GetCrtcInfo(crtc, timestamp, reply),
        ),
      ),
    );
    const off = 0;
    return infos.filter(({ mode }) => mode !== off);
  }

  /** Changes of the display's size arrive as these events of the root window. */
  static readonly eventMask = x11.eventMask.StructureNotify;
}
