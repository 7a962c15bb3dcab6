import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { X11Screen } from "../../../infra/driver/screens/x11-screen.ts";
import { launchChromium } from "../browser/chromium.ts";
import { DriverProcess } from "../execution/driver-process.ts";
import { XDisplay } from "../x-display/x-display.ts";
import { formPage, type Variation } from "./form-page.ts";

/** What the server was told to save. */
export interface SavedInvoice {
  readonly customer: string;
  readonly reference: string;
  readonly amount: string;
}

/** Below the browser's own bars. */
const whereThePageIs = "[screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight]";

/** A real browser on a real display, with a form whose server knows what was saved. */
export class WebForm {
  readonly #display: XDisplay;
  readonly #screen: X11Screen;
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #server: Server;
  #given: Variation = {};
  #saved: SavedInvoice[] = [];

  private constructor(display: XDisplay, screen: X11Screen, browser: Browser, page: Page, server: Server) {
    this.#display = display;
    this.#screen = screen;
    this.#browser = browser;
    this.#page = page;
    this.#server = server;
    server.on("request", async (request, response) => {
      if (request.method === "POST") this.#saved.push(JSON.parse(await text(request)) as SavedInvoice);
      response.writeHead(200, { "content-type": "text/html" }).end(formPage(this.#given));
    });
  }

  static async open(): Promise<WebForm> {
    const display = await XDisplay.open();
    const screen = await X11Screen.open({ display: display.name });
    const { window, started } = await display.openWindow(async () => {
      const browser = await launchChromium(display.env, ["--kiosk", "--window-size=1280,800"]);
      return { browser, page: await browser.newPage({ viewport: null }) };
    });
    // There is no window manager that would make it as large.
    display.connection.send("ResizeWindow", window, 1280, 800);
    await display.focus(window);
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new WebForm(display, screen, started.browser, started.page, server);
  }

  /** The page anew, with nothing typed and nothing saved, and a driver that has done nothing. */
  async show(given: Variation): Promise<DriverProcess> {
    this.#given = given;
    this.#saved = [];
    const { port } = this.#server.address() as AddressInfo;
    await this.#page.goto(`http://127.0.0.1:${port}/`);
    return new DriverProcess(createLocalDesktop({ screen: this.#screen, root: tmpdir(), allowShell: false }));
  }

  get saved(): readonly SavedInvoice[] {
    return this.#saved;
  }

  /** The middle of something on the page, on the screen. */
  async middleOf(selector: string): Promise<{ readonly x: number; readonly y: number }> {
    const box = await this.#page.locator(selector).boundingBox();
    if (box === null) throw new Error(`the page shows no ${selector}`);
    const [left = 0, top = 0] = await this.#page.evaluate<number[]>(whereThePageIs);
    return {
      x: Math.round(left + box.x + box.width / 2),
      y: Math.round(top + box.y + box.height / 2),
    };
  }

  async has(selector: string): Promise<boolean> {
    return (await this.#page.locator(selector).count()) > 0;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#browser.close();
    await this.#screen.close();
    await this.#display.close();
  }
}
