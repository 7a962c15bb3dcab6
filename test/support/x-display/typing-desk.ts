import { expect } from "vitest";
import type { Desktop } from "../../../infra/driver/desktop.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import { askDesktop, jsonOf } from "../fake-service/ask-desktop.ts";
import type { Recorder } from "./programs/recorder.ts";
import { XDisplay } from "./x-display.ts";

export class TypingDesk {
  readonly display: XDisplay;
  readonly desktop: Desktop;
  readonly #screen: X11Screen;
  readonly #recorders: readonly Recorder[];

  private constructor(display: XDisplay, screen: X11Screen, recorders: readonly Recorder[]) {
    this.display = display;
    this.desktop = createLocalDesktop({ screen, root: "/", allowShell: false });
    this.#screen = screen;
    this.#recorders = recorders;
  }

  static async open(programs: (display: XDisplay) => Promise<readonly Recorder[]>): Promise<TypingDesk> {
    const display = await XDisplay.open();
    const recorders = await programs(display);
    return new TypingDesk(display, await X11Screen.open({ display: display.name }), recorders);
  }

  recorder(at: number): Recorder {
    const recorder = this.#recorders[at];
    if (recorder === undefined) throw new Error(`there is no program ${at}`);
    return recorder;
  }

  async type(text: string): Promise<void> {
    const response = await askDesktop(this.desktop, "POST", "input/keyboard/type", { body: { text } });
    expect([response.status, jsonOf(response)]).toEqual([200, {}]);
  }

  async expectToArrive(text: string, recorder: Recorder): Promise<void> {
    await recorder.clear();
    await this.type(text);
    const expected = recorder.seenAs(text.replaceAll(/\r\n?/g, "\n"));
    expect(await recorder.received(expected)).toBe(expected);
  }

  async close(): Promise<void> {
    await this.#screen.close();
    for (const recorder of this.#recorders) await recorder.close();
    await this.display.close();
  }
}
