import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import { until } from "../stack/until.ts";
import { XDisplay } from "../x-display/x-display.ts";
import { DriverProcess } from "./driver-process.ts";
import type { ScriptStep } from "./record-demo.ts";

/** Keeps the program from looking for services of a desktop session. */
const withoutSession = {
  NO_AT_BRIDGE: "1",
  GSETTINGS_BACKEND: "memory",
  DBUS_SESSION_BUS_ADDRESS: "disabled:",
};

const usual = { x: 300, y: 200 };

export class OrderForm {
  readonly driver: DriverProcess;
  readonly #display: XDisplay;
  readonly #screen: X11Screen;
  readonly #form: number;
  readonly #file: string;

  private constructor(display: XDisplay, screen: X11Screen, form: number, file: string) {
    this.#display = display;
    this.#screen = screen;
    this.#form = form;
    this.#file = file;
    this.driver = new DriverProcess(createLocalDesktop({ screen, root: tmpdir(), allowShell: false }));
  }

  /** @param moved pixels from the usual place. */
  static async open(moved: { readonly x: number; readonly y: number }): Promise<OrderForm> {
    const display = await XDisplay.open();
    const screen = await X11Screen.open({ display: display.name });
    const file = join(mkdtempSync(join(tmpdir(), "order-")), "order.txt");
    const form =
      "zenity --forms --text='A new order' --add-entry=Item --add-entry=Quantity --add-password=PIN --width=500";
    const saved = "zenity --info --text='The order was saved.' --width=400";
    const { window } = await display.openWindow(() =>
      display.start("sh", ["-c", `${form} > ${file} && ${saved}`], withoutSession),
    );
    display.connection.send("MoveWindow", window, usual.x + moved.x, usual.y + moved.y);
    await display.focus(window);
    return new OrderForm(display, screen, window, file);
  }

  async untilSaved(): Promise<void> {
    await until(async () => {
      const windows = await this.#display.windows();
      return windows.length > 0 && !windows.includes(this.#form);
    }, 20_000);
  }

  async order(): Promise<readonly string[]> {
    const text = () => readFileSync(this.#file, "utf8").trim();
    await until(() => text() !== "");
    return text().split("|");
  }

  async close(): Promise<void> {
    await this.#screen.close();
    await this.#display.close();
  }
}

const click = (target: string, x: number, y: number): ScriptStep => ({
  action: { type: "click", x, y, target },
});

export const orderScript: readonly ScriptStep[] = [
  click("the field Quantity", 395, 294),
  { action: { type: "type", text: "{quantity}" }, typed: "3" },
  click("the field PIN", 395, 334),
  { action: { type: "type", text: "{$pin}" }, typed: "2468" },
  click("the field Item", 395, 254),
  { action: { type: "type", text: "{item}" }, typed: "Desk lamp" },
  click("the button OK", 749, 377),
  { action: { type: "finish", output: { item: "{item}" } } },
];

export const orderSaved = [{ x: 670, y: 360 }];
