import { describe, expect, it } from "vitest";
import { hasChromium } from "../../support/browser/chromium.ts";
import { useConsoleBrowser } from "../../support/browser/console-browser.ts";
import { createOrganization, keyOf } from "../../support/stack/stack-client.ts";

describe.skipIf(!hasChromium)("the console", () => {
  const { open, review } = useConsoleBrowser();

  it("asks for an API key, says why it refuses one, and keeps the right one for the tab alone", async () => {
    const organization = await createOrganization();
    const page = await open();
    await review(page, "sign-in");
    await page.getByLabel("API key").fill("das_unknown_secret");
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    expect(await page.getByRole("alert").innerText()).toMatch(/^The (API key|credentials)/);

    await page.getByLabel("API key").fill(keyOf(organization, "read"));
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    await page.getByText(organization.organization_id).waitFor();
    await page.reload();
    await page.getByText(organization.organization_id).waitFor();
    await page.locator("h1").waitFor();
    await review(page, "shell");
    const other = await page.context().newPage();
    await other.goto("/console");
    await other.getByLabel("API key").waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  it("refuses credentials that cannot read, in the API's words", async () => {
    const organization = await createOrganization();
    const page = await open();
    await page.getByLabel("API key").fill(keyOf(organization, "driver"));
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    expect(await page.getByRole("alert").innerText()).toContain("needs the scope read");
  });

  it("signs out, and says so, when the service no longer takes the key", async () => {
    const organization = await createOrganization();
    const page = await open({ key: "das_unknown_secret" });
    await page.getByText("The session has ended").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.getByLabel("API key").fill(keyOf(organization, "read"));
    await page.keyboard.press("Enter");
    await page.getByText(organization.organization_id).waitFor();
  });

  it("waits for a service that is away, with nobody signed out", async () => {
    const organization = await createOrganization();
    const page = await open({ key: keyOf(organization, "read") });
    await page.getByText(organization.organization_id).waitFor();
    await page.clock.install();
    await page.route("**/v1/**", (route) => route.abort());
    await page.reload();
    await page.clock.fastForward("00:30");
    await page.getByText(/^The service did not respond: /).waitFor();
    await page.unroute("**/v1/**");
    await page.clock.fastForward("00:30");
    await page.getByText(organization.organization_id).waitFor();
  });

  it("shows colours as chosen, whatever the system prefers", async () => {
    const organization = await createOrganization();
    const page = await open({ key: keyOf(organization, "read"), path: "/console/nothing/here" });
    await page.getByText("There is no such page").or(page.getByText("navigation")).first().waitFor();
    const background = async () => await page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    const button = page.getByRole("button", { name: /^Colours/ });
    await button.click();
    expect(await background()).toBe(light);
    await button.click();
    expect(await background()).not.toBe(light);
    await page.reload();
    await button.waitFor();
    expect(await background()).not.toBe(light);
  });
});
