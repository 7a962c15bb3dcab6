import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import { hasChromium, launchChromium } from "../support/browser/chromium.ts";
import { ask, createOrganization, keyOf } from "../support/stack/stack-client.ts";
import { until } from "../support/stack/until.ts";

describe("the documents", () => {
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

describe.skipIf(!hasChromium)("the reference page in Chromium", () => {
  let browser: Browser;
  let page: Page;
  const addresses: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
    page.on("request", (request) => addresses.push(request.url()));
    page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${inject("stack").baseUrl}/docs`);
    await page.locator("#index summary").first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it("shows every operation", async () => {
    expect(await page.locator("#index a").count()).toBe(allOperations.length);
    expect(await page.locator(".opblock-tag").count()).toBe(
      // What the service sends has a tag without operations, which says so.
      new Set([...allOperations.map(({ tag }) => tag), "Webhook events"]).size,
    );
  });

  it("opens an operation from the index, with its parameters and answers", async () => {
    await page.locator("#index summary", { hasText: "Machines" }).click();
    await page.locator("#index a", { hasText: "Updates a machine" }).click();
    const operation = page.locator("#operations-Machines-updateMachine");
    await operation.locator(".opblock-body").waitFor();
    const text = await operation.innerText();
    expect(text).toContain("Idempotency-Key");
    expect(text).toContain("Only the fields provided are changed");
    expect(page.url()).toContain("#/Machines/updateMachine");
  });

  it("calls the service from the page", async () => {
    const organization = await createOrganization();
    await page.locator(".btn.authorize").click();
    await page.locator(".auth-container input").fill(keyOf(organization, "full"));
    await page.locator(".auth-btn-wrapper .authorize").click();
    await page.locator(".btn-done").click();
    await page.locator("#index a", { hasText: "Lists machines" }).click();
    const operation = page.locator("#operations-Machines-listMachines");
    await operation.locator(".try-out__btn").click();
    await operation.locator(".btn.execute").click();
    const answer = operation.locator(".live-responses-table .response-col_status").last();
    await until(async () => (await answer.textContent())?.includes("200") === true);
    expect(await answer.textContent()).toContain("200");
  });

  it("is dark for whoever prefers that, with text that can be read", async () => {
    const dark = await browser.newPage({ colorScheme: "dark" });
    await dark.goto(`${inject("stack").baseUrl}/docs#/Machines/getMachine`);
    await dark.locator(".header-col").first().waitFor();
    const styleOf = async (selector: string, property: string) =>
      await dark.evaluate(`getComputedStyle(document.querySelector("${selector}")).${property}`);
    for (const selector of ["#reference h2", ".header-col", "#index summary"]) {
      expect(await styleOf(selector, "color"), selector).toMatch(/^rgb\(2\d\d, 2\d\d, 2\d\d\)$/);
    }
    expect(await styleOf("body", "backgroundColor")).toBe("rgb(28, 32, 34)");
    await dark.goto(`${inject("stack").baseUrl}/changelog`);
    expect(await styleOf("main code", "backgroundColor")).toBe("rgb(43, 50, 55)");
    expect(await styleOf("h1", "color")).toBe("rgb(228, 230, 230)");
    await dark.close();
  });

  it("has asked nobody but the service, and nothing was refused by its policy, nor of the pages beside it", async () => {
    const { origin } = new URL(inject("stack").baseUrl);
    for (const name of ["Changelog", "Compatibility"]) {
      await page.locator(".page-header a", { hasText: name }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
    }
    const elsewhere = addresses.filter(
      (address) => !address.startsWith(origin) && !address.startsWith("data:"),
    );
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
