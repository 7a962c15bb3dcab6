import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../../support/browser/chromium.ts";
import { useConsoleBrowser } from "../../support/browser/console-browser.ts";
import { made } from "../../support/stack/own-resources.ts";
import type { SpawnedDriver } from "../../support/stack/spawn-driver.ts";
import {
  ask,
  clientOf,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";
import { missingDisplayPrograms, XDisplay } from "../../support/x-display/x-display.ts";

const hostile = `<img src=x onerror="alert(1)">'"&`;

describe.skipIf(!hasChromium || missingDisplayPrograms.length > 0)("the console's machines", () => {
  const { open, review } = useConsoleBrowser();
  let organization: Organization;
  let display: XDisplay;
  let driver: SpawnedDriver;

  beforeAll(async () => {
    [organization, display] = await Promise.all([createOrganization(), XDisplay.open(1_024, 640)]);
    const { window } = await display.openWindow(() =>
      display.start("xterm", ["-geometry", "168x48+0+0", "-e", "sh"]),
    );
    await display.focus(window);
    driver = await driverOf(organization, { display: display.name, args: ["--name", hostile] });
  });
  afterAll(async () => {
    await driver?.stop();
    await display?.close();
  });

  const machinePath = () => `/console/machines/${driver.machineId}`;
  const openMachine = async (key = "full") =>
    await open({ key: keyOf(organization, key), path: machinePath() });
  const drawn = async (page: Page, selector: string) => await page.locator(selector).first().waitFor();

  it("are a wall of live pictures, with filters in the address, and a table", async () => {
    const page = await open({ key: keyOf(organization, "full"), path: "/console/machines" });
    await drawn(page, ".thumbnail img");
    expect(await page.locator(".machine-card-name").allInnerTexts()).toEqual([hostile]);
    await page.getByText("takes new runs").waitFor();
    await review(page, "machines");
    await page.getByLabel("Search").fill("no such machine");
    await page.getByText("No machine fits these filters.").waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("no such machine");
    await page.getByLabel("Search").fill("");
    await page.getByRole("button", { name: "Table" }).click();
    await page.getByRole("rowheader", { name: hostile }).getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: hostile }).waitFor();
  });

  it("are driven by mouse and keyboard on the live screen, and gives the keyboard back", async () => {
    const page = await openMachine();
    await drawn(page, ".live-screen img");
    const screen = page.getByLabel(/^Mouse and keyboard of/);
    await screen.click({ position: { x: 80, y: 60 } });
    await page.getByText("The keyboard goes to the desktop;").waitFor();
    const file = join(driver.root, "typed");
    await page.keyboard.type(`printf 'ä %s' $((20+3)) > ${file}`);
    await page.keyboard.press("Enter");
    await until(async () => (await readFile(file, "utf8").catch(() => "")) === "ä 23");
    const box = await screen.boundingBox();
    const client = clientOf(keyOf(organization, "full"));
    const pointer = await client.call("getMousePosition", { path: { machine_id: driver.machineId } });
    const scale = 1_024 / (box?.width ?? 1);
    expect(Math.abs(pointer.x - 80 * scale)).toBeLessThan(2);
    expect(Math.abs(pointer.y - 60 * scale)).toBeLessThan(2);

    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByText("Click on it, or press Enter").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.tagName")).not.toBe("TEXTAREA");
    await review(page, "machine");
  });

  it("have a shell and files, and are renamed and taken out of service", async () => {
    const page = await openMachine();
    await page.getByRole("heading", { name: "Shell" }).click();
    await page.getByLabel("Command").fill("echo '<b>out</b>'; echo err >&2; exit 3");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("exit code 3").waitFor();
    expect(await page.locator(".shell-output").innerText()).toContain("<b>out</b>\n\nerr");

    await page.getByRole("heading", { name: "Files" }).click();
    const name = "<i>up & down.txt";
    await page.getByLabel("Upload a file").setInputFiles({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from("hello"),
    });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toBe("hello");
    const large = randomBytes(5_000_000);
    await page
      .getByLabel("Upload a file")
      .setInputFiles({ name: "scan.bin", mimeType: "application/octet-stream", buffer: large });
    const file = page.getByRole("button", { name: "scan.bin" });
    const [back] = await Promise.all([page.waitForEvent("download"), file.click()]);
    expect(large.equals(await readFile(await back.path()))).toBe(true);

    await page.getByRole("heading", { name: "Last calls" }).click();
    await page.getByRole("rowheader", { name: "/computer/shell/exec" }).first().waitFor();
    await page.getByLabel("In service").click();
    await page.getByText("takes no new run: out of service").waitFor();
    await page.getByLabel("In service").click();
    await page.getByText("takes new runs").waitFor();
    await review(page, "machine-open");
  });

  it("keep what somebody else has saved, and show it to whoever saves later", async () => {
    const page = await openMachine();
    const path = `/v1/machines/${driver.machineId}`;
    const change = async (machine_parameters: object) => {
      const body = { machine_parameters };
      const changed = await ask(path, { key: keyOf(organization, "full"), method: "PATCH", body });
      expect(changed.status).toBe(200);
    };
    const parameters = page.getByRole("region", { name: "Parameters" });
    await parameters.getByRole("button", { name: "Change" }).click();
    const text = page.getByRole("dialog").getByLabel("Parameters");
    await text.fill('{"site": "mine"}');
    await change({ site: "theirs" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByRole("insertion").getByText("theirs").waitFor();
    await review(page, "machine-changed-meanwhile");
    await page.getByRole("button", { name: "Show theirs, give up mine" }).click();
    expect(JSON.parse(await text.inputValue())).toEqual({ site: "theirs" });
    await text.fill('{"site": "both"}');
    await page.getByRole("button", { name: "Save" }).click();
    await parameters.getByText("both").waitFor();

    await parameters.getByRole("button", { name: "Set secrets" }).click();
    await page.getByRole("dialog").getByLabel("Secrets").fill("pin=13572468");
    await page.getByRole("button", { name: "Replace" }).click();
    await parameters.getByText("•••••• (secret)").waitFor();
    await page.getByText("API call of the last change").click();
    const command = await page.getByLabel("API call", { exact: true }).innerText();
    expect(command).toMatch(/^curl -sS -X PATCH 'http:.*\/v1\/machines\/.*"pin":"…"/);
    await page.locator(".last-write").getByRole("button", { name: "Copy" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
  });

  it("are one person's while it is recorded, and say so to the others; free, they take both people's input", async () => {
    const key = keyOf(organization, "full");
    const [mine, theirs] = [await openMachine(), await open({ key: organization.jwt, path: machinePath() })];
    const screenOf = (page: Page) => page.getByLabel(/^Mouse and keyboard of/);
    await screenOf(theirs).waitFor();
    const recording_id = await made(key, "/v1/recordings", { machine_id: driver.machineId });

    const notice = theirs.getByRole("region", { name: "Somebody else has mouse and keyboard" });
    await notice.getByText(/^Held by the API key [\w-]+, until in \d+ minutes/).waitFor();
    await mine.getByRole("region", { name: "You have mouse and keyboard" }).waitFor();
    expect(await mine.getByRole("heading", { name: /^(Shell|Files)$/ }).count()).toBe(2);
    expect(await screenOf(theirs).count()).toBe(0);
    expect(await theirs.getByRole("heading", { name: /^(Shell|Files)$/ }).count()).toBe(0);
    await review(theirs, "machine-held");

    await notice.getByRole("link", { name: "The recording" }).click();
    await theirs.getByText(/^Held by the API key/).waitFor();
    const acting = theirs.getByRole("button", { name: /^(Finish|Discard|30 minutes|Type it|Open)/ });
    expect(await acting.count()).toBe(0);
    expect(await screenOf(theirs).count()).toBe(0);
    await review(theirs, "recording-held");
    await theirs.goBack();

    expect((await ask(`/v1/recordings/${recording_id}`, { key, method: "DELETE" })).status).toBe(204);
    await notice.waitFor({ state: "detached" });
    for (const [page, text] of [
      [mine, "one"],
      [theirs, "two"],
    ] as const) {
      await screenOf(page).click({ position: { x: 80, y: 60 } });
      await page.getByText(/^The keyboard goes to the desktop/).waitFor();
      const file = join(driver.root, text);
      await page.keyboard.type(`echo ${text} > ${file}`);
      await page.keyboard.press("Enter");
      await until(async () => (await readFile(file, "utf8").catch(() => "")) === `${text}\n`);
    }
  });

  it("take the text of the clipboard as it is", async () => {
    const page = await openMachine();
    const screen = page.getByLabel(/^Mouse and keyboard of/);
    const file = join(driver.root, "pasted");
    await screen.click({ position: { x: 80, y: 60 } });
    await page.getByText(/^The keyboard goes to the desktop/).waitFor();
    await page.keyboard.type(`head -n1 > ${file}`);
    await page.keyboard.press("Enter");
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(hostile)})`);
    await page.getByRole("button", { name: "Paste" }).click();
    await screen.click({ position: { x: 80, y: 60 } });
    await page.keyboard.press("Enter");
    await until(async () => (await readFile(file, "utf8").catch(() => "")) === `${hostile}\n`);
  });

  it("are only looked at by somebody without the scope write", async () => {
    const page = await openMachine("read");
    await drawn(page, ".live-screen img");
    expect(await page.getByRole("main").getByRole("button").allInnerTexts()).toEqual(["1:1", "Full screen"]);
    expect(await page.getByRole("textbox").count()).toBe(0);
    expect(await page.getByText(/^Shell|^Files/).count()).toBe(0);
    await page.goto("/console/machines");
    await page.getByRole("button", { name: "Add a machine" }).click();
    await page.getByText("somebody with the scope admin can").waitFor();
  });

  it("are added by a command with a fresh key, and are there the moment they connect", async () => {
    const other = await createOrganization();
    const page = await open({ key: other.jwt, path: "/console/machines" });
    // A look that waits at a driver that shuts down fails, as it should.
    await page.route(/display\/screenshot/, (route) => route.abort());
    await page.getByRole("button", { name: "Add a machine" }).click();
    await page.getByLabel("Name").fill("Second desk");
    await page.getByRole("button", { name: "Make a key" }).click();
    const command = await page.getByLabel("Command").innerText();
    const [, key = ""] = /DRIVER_KEY=(\S+)/.exec(command) ?? [];
    expect(command).toContain("--name 'Second desk'");
    await review(page, "machines-add");
    const second = await driverOf(
      { ...other, api_keys: { driver: key } },
      { args: ["--name", "Second desk"] },
    );
    try {
      await page.getByRole("status").getByRole("link", { name: "Second desk" }).click();
      const sure = async (name: string, verb: string) => {
        await page.getByRole("button", { name, exact: true }).click();
        await page.getByRole("dialog").getByRole("button", { name: verb }).click();
      };
      await sure("Reset secret", "Reset");
      await page.getByText("The next driver gets a new secret.").waitFor();
      await sure("Shut down", "Shut down");
      expect(await second.ended).toBe(0);
      await page.getByText("takes no new run: its driver is not connected").waitFor();
      await sure("Delete", "Delete");
      await page.getByText("No machine is connected yet.").waitFor();
    } finally {
      await second.stop();
    }
  });
});
