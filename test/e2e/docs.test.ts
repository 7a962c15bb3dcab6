import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { axeViolations, rulesOfColors } from "../support/browser/axe.ts";
import { hasChromium, launchChromium } from "../support/browser/chromium.ts";
import { ask, createOrganization, keyOf } from "../support/stack/stack-client.ts";

describe("the documents", () => {
  it("are where a browser is led that opens the service's address", async () => {
    const { baseUrl } = inject("stack");
    const response = await fetch(baseUrl, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([response.status, response.url]).toEqual([200, `${baseUrl}/docs`]);
    await response.arrayBuffer();
  });

  it("come compressed through the gateway, and not again while they are known", async () => {
    const { baseUrl } = inject("stack");
    const first = await fetch(`${baseUrl}/openapi.json`, { headers: { "accept-encoding": "br" } });
    expect(first.headers.get("content-encoding")).toBe("br");
    const { info } = (await first.json()) as { info: { version: string } };
    expect(info.version).toBe("1.0.0");
    const etag = first.headers.get("etag") ?? "";
    const again = await ask("/openapi.json", { headers: { "if-none-match": etag } });
    expect([again.status, again.body]).toEqual([304, undefined]);
  });
});

describe.skipIf(!hasChromium)("the reference in Chromium", () => {
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    const found = complaints.splice(0);
    for (const context of browser.contexts()) await context.close();
    expect(found).toEqual([]);
  });

  /** A complaint of the browser fails the test, and so does a request to any host but the service's. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const { baseUrl } = inject("stack");
    const viewport = { width: 1_280, height: 900 };
    const context = await browser.newContext({ viewport, baseURL: baseUrl, ...options });
    const page = await context.newPage();
    page.on("request", (request) => {
      const isOwn = /^(data|blob):/.test(request.url()) || request.url().startsWith(new URL(baseUrl).origin);
      if (!isOwn) complaints.push(`asked ${request.url()}`);
    });
    page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
    page.on("console", (message) => {
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (["error", "warning"].includes(message.type()) && !isRefusal) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(path);
    await page.locator("h1").waitFor();
    return page;
  }

  it.each(["light", "dark"] as const)(
    "violates no rule of axe in %s, and is no wider than a phone",
    async (colorScheme) => {
      const page = await open("/docs", { colorScheme });
      const only = colorScheme === "dark" ? rulesOfColors : undefined;
      for (const path of [
        "/docs",
        "/docs/conventions",
        "/docs/operations/createRun",
        "/docs/webhooks/run.created",
        "/docs/schemas",
        "/docs/schemas/Run",
        "/changelog",
      ]) {
        await page.setViewportSize({ width: 1_280, height: 900 });
        await page.goto(path);
        expect(await axeViolations(page, only), path).toEqual([]);
        await page.setViewportSize({ width: 360, height: 740 });
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(360);
      }
    },
  );

  it("can be read without a script, and has no form then", async () => {
    const page = await open("/docs", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "Updates a machine" }).last().click();
    await page.getByRole("heading", { name: "Updates a machine", level: 1 }).waitFor();
    const main = page.locator("main");
    expect(await main.innerText()).toContain("Only the fields provided are changed");
    await page.getByText("Python", { exact: true }).click();
    await page.getByText("client.update_machine(").waitFor();
    expect(await page.locator("form").isVisible()).toBe(false);
  });

  it("finds a field by the keyboard alone, and shows the place", async () => {
    const page = await open("/docs");
    expect(await page.locator("pre").innerText()).toContain(`'${inject("stack").baseUrl}/v1/machines'`);
    await page.keyboard.press("/");
    await page.keyboard.type("start_session");
    await page.getByRole("option").first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/operations/createRun#body.start_session");
    expect(await page.locator(":target").innerText()).toContain("Whether the run begins a new session");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").waitFor({ state: "hidden" });
  });

  it("sends a call at the first click, and another one with a fresh Idempotency-Key at the second", async () => {
    const organization = await createOrganization();
    const page = await open("/docs/operations/createMachine");
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") keys.push(request.headers()["idempotency-key"]);
    });
    await page.getByLabel("API key").fill(keyOf(organization, "full"));
    for (const fingerprint of [crypto.randomUUID(), crypto.randomUUID()]) {
      await page.getByLabel("fingerprint required").fill(fingerprint);
      await page.getByRole("button", { name: "Send POST" }).click();
      await page.getByRole("status").getByText(fingerprint).waitFor();
    }
    await page.getByLabel("fingerprint required").fill("");
    await page.getByText(/^Optional/).click();
    const whole = { fingerprint: crypto.randomUUID(), name: "of the whole body" };
    await page.getByLabel("The whole body as JSON").fill(JSON.stringify(whole));
    await page.getByRole("button", { name: "Send POST" }).click();
    await page.getByRole("status").getByText(whole.name).waitFor();
    expect(new Set(keys).size).toBe(3);
    expect(keys).not.toContain(undefined);
    expect(await page.locator(".sample.curl").innerText()).toContain(
      `-X POST '${inject("stack").baseUrl}/v1/machines'`,
    );
    expect(await axeViolations(page)).toEqual([]);
    await page.goto("/docs/operations/listMachines");
    await page.getByRole("button", { name: "Send GET" }).click();
    await page.getByRole("status").getByText('"total": 3').waitFor();
  });

  it("says what is missing before it sends, and what the service refuses", async () => {
    const page = await open("/docs/operations/getMachine");
    await page.getByLabel("machine_id required").fill("x");
    await page.getByRole("button", { name: "Send GET" }).click();
    await page.getByText("Enter an API key first.").waitFor();
    await page.getByLabel("API key").fill(keyOf(await createOrganization(), "full"));
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("uuid_parsing").waitFor();
  });

  it("has a menu on a phone, and leads links of the page before it to their operations", async () => {
    const page = await open("/docs#/Machines/getMachine", { viewport: { width: 360, height: 740 } });
    await page.waitForURL("**/docs/operations/getMachine");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Lists machines" }).click();
    await page.getByRole("heading", { name: "Lists machines", level: 1 }).waitFor();
  });
});
