import type { Page } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { ConsoleSignIn } from "../../../shared/contract/console.ts";
import { hasChromium } from "../../support/browser/chromium.ts";
import { issuerOf, useConsoleBrowser } from "../../support/browser/console-browser.ts";

describe.skipIf(!hasChromium)("signing in to the console at an issuer", () => {
  const { open } = useConsoleBrowser();
  let issuer: ConsoleSignIn;
  beforeAll(async () => {
    issuer = await issuerOf(inject("stack").baseUrl);
  });

  const signedIn = (page: Page) => page.getByText("org_local").waitFor();
  const pathOf = (page: Page) => page.evaluate("location.pathname + location.search");

  /** To the issuer's page, where the person has a password. */
  async function leave(page: Page): Promise<URL> {
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByLabel("Password").waitFor();
    return new URL(page.url());
  }

  async function enterPassword(page: Page, password = inject("stack").consolePassword): Promise<void> {
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  it("is done once by the link of npm start, of which nothing stays in the address or the history", async () => {
    const { consoleUrl } = inject("stack");
    const page = await open({ path: consoleUrl });
    await signedIn(page);
    expect(await pathOf(page)).toMatch(/^\/console(\/[a-z]+)?$/);
    await page.goBack().catch(() => null);
    expect(page.url()).not.toMatch(/login_hint|code=|state=/);

    const another = await open({ path: consoleUrl });
    await another.getByLabel("Password").waitFor();
  });

  it("takes the password of the one user, and leads to where the person wanted to go", async () => {
    const page = await open({ path: "/console/somewhere/else?tab=one" });
    const { searchParams } = await leave(page);
    expect(searchParams.get("code_challenge_method")).toBe("S256");
    await enterPassword(page, "a guess");
    await page.getByText("This is not the password.").waitFor();
    await enterPassword(page);
    await signedIn(page);
    expect(await pathOf(page)).toBe("/console/somewhere/else?tab=one");
    await page.reload();
    await signedIn(page);
  });

  it("fails with a sentence when the issuer refuses, or its answer is to another request", async () => {
    const page = await open();
    const { searchParams } = await leave(page);
    const refusal = { error: "access_denied", error_description: "no account here" };
    await page.goto(
      `/console?${new URLSearchParams({ ...refusal, state: searchParams.get("state") ?? "" })}`,
    );
    await page.getByText("The sign-in failed: no account here.").waitFor();
    expect(await pathOf(page)).toBe("/console");

    await leave(page);
    await page.goto("/console?code=stolen&state=another");
    await page.getByText(/The sign-in failed: .*state/).waitFor();
    // What nobody has asked for is nothing.
    await page.goto("/console?code=stolen&state=another");
    await page.getByLabel("API key").waitFor();
    expect(await page.getByRole("status").first().innerText()).toBe("");
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  it("says what the service says of a token that it does not take", async () => {
    const page = await open();
    await page.route(issuer.tokenUrl, (route) =>
      route.fulfill({
        headers: { "access-control-allow-origin": "*" },
        json: { access_token: "no.token.ours", token_type: "Bearer" },
      }),
    );
    await leave(page);
    await enterPassword(page);
    await page.getByText(/^The API key or token is unknown here/).waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  it("lasts as long as the issuer renews it", async () => {
    const page = await open();
    await page.clock.install();
    await leave(page);
    await enterPassword(page);
    await signedIn(page);
    const token = () => page.evaluate('sessionStorage.getItem("das.console.credentials")');
    const first = await token();
    const renewed = page.waitForResponse(issuer.tokenUrl);
    await page.clock.fastForward("01:00:00");
    expect((await renewed).status()).toBe(200);
    await signedIn(page);
    await expect.poll(token).not.toBe(first);

    await page.route(issuer.tokenUrl, (route) =>
      route.fulfill({
        status: 400,
        headers: { "access-control-allow-origin": "*" },
        json: { error: "invalid_grant" },
      }),
    );
    await page.clock.fastForward("01:00:00");
    await page.getByText("The session has ended: the issuer no longer renews it.").waitFor();
  });
});
