import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { ConsoleSignIn } from "../../../shared/contract/console.ts";
import { axeViolations, rulesOfColors } from "./axe.ts";
import { launchChromium } from "./chromium.ts";

/** With the variable, a person who reviews the pages finds pictures of them there; no test reads one. */
const pictures = process.env.KEEP_PICTURES === "true" ? join(".local", "console") : undefined;

interface OpenOptions {
  /** An API key; without one the page asks for it. */
  readonly key?: string;
  /** @default "/console" */
  readonly path?: string;
  /** @default 1,280 x 900 */
  readonly viewport?: { readonly width: number; readonly height: number };
}

export interface ConsoleBrowser {
  /** Opens the console of the running stack in a browser of its own. */
  readonly open: (options?: OpenOptions) => Promise<Page>;
  /** Expects no violation of axe's rules in light and dark, and no page that is wider than a phone. */
  readonly review: (page: Page, name: string) => Promise<void>;
}

/** A phone of this width must show all. */
const phone = { width: 360, height: 740 };
const desk = { width: 1_280, height: 900 };

/**
 * A browser for the tests of a file. After each test it expects that no page has violated its policy, written an error
 * to its console, asked anybody but the service and its bucket, or got a 5xx.
 */
export function useConsoleBrowser(): ConsoleBrowser {
  let browser: Browser | undefined;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    const found = complaints.splice(0);
    for (const context of browser?.contexts() ?? []) await context.close();
    expect(found).toEqual([]);
  });
  return {
    open: async ({ key, path = "/console", viewport = desk } = {}) => {
      if (browser === undefined) throw new Error("the browser is opened before the first test");
      const { baseUrl, websocketUrl, awsEndpointUrl } = inject("stack");
      const context = await browser.newContext({ viewport, baseURL: baseUrl, colorScheme: "light" });
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      if (key !== undefined) {
        await context.addInitScript(
          `sessionStorage.setItem("das.console.credentials", ${JSON.stringify(key)});`,
        );
      }
      // As with the tests' own limits: for what hangs.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      const { tokenUrl } = await issuerOf(baseUrl);
      watch(
        page,
        [baseUrl, websocketUrl, awsEndpointUrl, tokenUrl].map((url) => new URL(url).origin),
        complaints,
      );
      await page.goto(path);
      await page.locator("h1").waitFor();
      return page;
    },
    review: async (page, name) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const only = colorScheme === "dark" ? rulesOfColors : undefined;
        expect(await axeViolations(page, only), `${name} in ${colorScheme}`).toEqual([]);
        await keepPicture(page, `${name}-${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: "light" });
      const before = page.viewportSize() ?? desk;
      await page.setViewportSize(phone);
      const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
      await keepPicture(page, `${name}-phone`);
      await page.setViewportSize(before);
      expect(widths, `${name} on a phone is wider than its screen`).toEqual([phone.width, phone.width]);
    },
  };
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** The stack's own issuer, as the page has it. */
export async function issuerOf(baseUrl: string): Promise<ConsoleSignIn> {
  const html = await (await fetch(`${baseUrl}/console`)).text();
  const [, settings = ""] = /<meta name="console" content="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(settings.replaceAll("&quot;", '"').replaceAll("&amp;", "&")).signIn;
}

function watch(page: Page, origins: readonly string[], complaints: string[]): void {
  const isOwn = (url: string) => /^(blob|data):/.test(url) || origins.includes(new URL(url).origin);
  page.on("request", (request) => {
    if (!isOwn(request.url())) complaints.push(`asked ${request.url()}`);
  });
  page.on("websocket", (socket) => {
    if (!isOwn(socket.url())) complaints.push(`asked ${socket.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} from ${response.url()}`);
  });
  page.on("console", (message) => {
    // The browser itself says so of each refusal and of a service that is away, which tests bring about.
    const isRefusal = /^Failed to load resource: (.* status of 4\d\d|net::ERR_)/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
}
