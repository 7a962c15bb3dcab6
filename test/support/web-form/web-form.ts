import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { XDisplay } from "../x-display/x-display.ts";
import { formPage, type Variation } from "./form-page.ts";

export interface SavedInvoice {
  readonly customer: string;
  readonly reference: string;
  readonly amount: string;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const readPlaces = `Object.fromEntries([...document.querySelectorAll("tr, input, button")].map((thing) => {
  const { left, top, width, height } = thing.getBoundingClientRect();
  const x = screenX + (outerWidth - innerWidth) / 2 + left + width / 2;
  const y = screenY + outerHeight - innerHeight + top + height / 2;
  return [thing.dataset.name ?? thing.id, { x: Math.round(x), y: Math.round(y) }];
}))`;

export class WebForm {
  readonly #display: XDisplay;
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #server: Server;
  #given: Variation = {};
  #places: Readonly<Record<string, Place>> = {};
  #saved: SavedInvoice[] = [];
  #clicked: string[] = [];
  #isCovered = false;
  #isLeftOver = false;

  private constructor(display: XDisplay, browser: Browser, page: Page, server: Server) {
    this.#display = display;
    this.#browser = browser;
    this.#page = page;
    this.#server = server;
    server.on("request", async (request, response) => {
      const sent = request.method === "POST" ? await text(request) : "";
      if (request.url === "/save") this.#saved.push(JSON.parse(sent) as SavedInvoice);
      else if (request.url === "/clicked") this.#noteClick(sent);
      response.writeHead(200, { "content-type": "text/html" }).end(formPage(this.#given));
    });
  }

  static async open(): Promise<WebForm> {
    const display = await XDisplay.open();
    const { window, started } = await display.openWindow(async () => {
      const browser = await launchChromium(display.env, ["--kiosk", "--window-size=1280,800"]);
      return { browser, page: await browser.newPage({ viewport: null }) };
    });
    display.connection.send("ResizeWindow", window, 1280, 800);
    await display.focus(window);
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new WebForm(display, started.browser, started.page, server);
  }

  /** The display's name, such as `:7`. */
  get displayName(): string {
    return this.#display.name;
  }

  async show(given: Variation): Promise<void> {
    this.#given = given;
    const { port } = this.#server.address() as AddressInfo;
    await this.#page.goto(`http://127.0.0.1:${port}/`);
    this.#places = await this.#page.evaluate<Record<string, Place>>(readPlaces);
    this.#isCovered = given.front !== undefined;
    this.#isLeftOver = false;
    this.forget();
  }

  forget(): void {
    this.#saved = [];
    this.#clicked = [];
  }

  get saved(): readonly SavedInvoice[] {
    return this.#saved;
  }

  /** Customers, fields and buttons clicked, in order; `page` is any other place. */
  get clicked(): readonly string[] {
    return this.#clicked;
  }

  get isCovered(): boolean {
    return this.#isCovered;
  }

  get isLeftOver(): boolean {
    return this.#isLeftOver;
  }

  placeOf(name: string): Place {
    const place = this.#places[name];
    if (place === undefined) throw new Error(`the page shows no ${name}`);
    return place;
  }

  #noteClick(name: string): void {
    this.#clicked.push(name);
    if (name === "close") this.#isCovered = false;
    if (name === "save" || name === "new") this.#isLeftOver = name === "save";
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#browser.close();
    await this.#display.close();
  }
}
