import { stat } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import type { DeskInput } from "../../../infra/demo-desk/desk-options.ts";
import { demoInputs } from "../../../infra/local/demo/demo-definition.ts";
import { seedDemo } from "../../../infra/local/demo/seed-demo.ts";
import { hasChromium } from "../../support/browser/chromium.ts";
import { useConsoleBrowser } from "../../support/browser/console-browser.ts";
import { made } from "../../support/stack/own-resources.ts";
import { hasEnded } from "../../support/stack/service-runs.ts";
import {
  ask,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";

describe.skipIf(!hasChromium)("the console's runs", () => {
  const { open, review } = useConsoleBrowser();

  it("shows a run as a film strip, makes a trajectory of it, and has no button for those who may only read", async () => {
    const { key, start, organization } = await demoOn({ seed: 5 });
    const runId = await start();
    const page = await open({ key, path: "/console/runs" });
    await row(page, "success").getByRole("link").first().click();
    await page.getByText("order_number").waitFor();
    const steps = page.getByRole("region", { name: "Steps" }).getByRole("listitem");
    await steps.nth(12).waitFor();
    await steps.nth(1).locator("img").waitFor();
    await review(page, "run");
    await steps.nth(1).getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("img", { name: "The screen before step 2" }).waitFor();
    await dialog.getByRole("img", { name: "The screen after step 2" }).waitFor();
    await review(page, "run-step");
    await dialog.getByRole("button", { name: "Next step" }).click();
    await dialog.getByRole("heading", { name: /^Step 3:/ }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.content()).not.toContain(demoInputs.sensitive_input_values.pin);
    await page.getByRole("button", { name: "Make a recording of it" }).click();
    await page.waitForURL(/\/console\/trajectories\//);
    expect((await ask(`/v1/runs/${runId}`, { key })).body.status).toBe("success");

    const reader = await open({ key: keyOf(organization, "read"), path: `/console/runs/${runId}` });
    await reader.getByText("order_number").waitFor();
    const acting = reader.getByRole("button", { name: /Retry|Delete|Cancel|Hold|recording/ });
    expect(await acting.count()).toBe(0);
  });

  it("puts and gets what is larger than 4 MB at the bucket, is cancelled, and tried again", async () => {
    const key = keyOf(await createOrganization(), "full");
    const workflow_id = await made(key, "/v1/workflows", { main_prompt: "Scan.", executor: "worker" });
    const run_id = await made(key, "/v1/runs", { workflow_id });
    const bytes = 5_000_000;
    const body = { run_id, attachment_type: "output", filename: "scan.bin", size_bytes: bytes };
    const attachment = await ask<{ id: string; upload: object }>("/v1/run-attachments", { key, body });
    const page = await open({ key, path: `/console/runs/${run_id}` });
    const { id, upload } = attachment.body;
    const path = `/v1/run-attachments/${id}/download`;
    // As the page's own scripts do, and under their policy.
    const sizes = await page.evaluate(`(async ({ url, headers }) => {
      const put = await fetch(url, { method: "PUT", headers, body: new Uint8Array(${bytes}) });
      const got = await fetch(${JSON.stringify(path)}, { headers: { authorization: "Bearer ${key}" } });
      return [put.status, got.status, got.redirected, (await got.blob()).size];
    })(${JSON.stringify(upload)})`);
    expect(sizes).toEqual([200, 200, true, bytes]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    expect((await stat(await (await download).path())).size).toBe(bytes);

    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the run" }).click();
    await page.getByText("cancelled", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Cancel the run" }).waitFor();
    await page.goto("/console/usage");
    await page.getByRole("heading", { name: /^\d+ ended runs?$/ }).waitFor();
  });

  it("shows of a failed run what was recorded, what was seen, and the difference", async () => {
    const { key, start } = await demoOn({ theme: "dark" });
    const runId = await start();
    const page = await open({ key, path: `/console/runs/${runId}` });
    await page.getByText("start_not_reached").waitFor();
    const failed = page.getByRole("listitem").filter({ hasText: /skipped|failed/ });
    await failed.last().getByRole("button").click();
    await page.getByText(/^\d+\.\d % of it differs$/).waitFor();
    await review(page, "run-failed");
  });

  it("holds a run, lets its holder drive the desktop by mouse and keyboard, and resumes it", async () => {
    const { key, begin, organization } = await demoOn({ seed: 5 });
    const runId = await begin();
    const hold = async () => (await ask(`/v1/runs/${runId}/hold`, { key, body: {} })).status;
    await until(async () => (await hold()) === 200);
    const page = await open({ key, path: `/console/runs/${runId}` });
    const screen = page.getByRole("textbox", { name: /^Mouse and keyboard of/ });
    await screen.click({ position: { x: 4, y: 4 } });
    await page.keyboard.press("F2");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText(/^(\d+ characters are copied|The desktop's clipboard is empty)\.$/).waitFor();
    const steps = page.getByRole("region", { name: "Steps" }).getByRole("listitem");
    await steps.filter({ hasText: "person" }).nth(1).waitFor();
    await review(page, "run-held");
    const other = await open({ key: organization.jwt, path: `/console/runs/${runId}` });
    await other.getByText(/^Held by the API key/).waitFor();
    expect(await other.getByRole("button", { name: /^(Resume the run|Take mouse)/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Resume the run" }).click();
    await until(async () => await hasEnded(key, runId));
    await page.getByText("order_number").waitFor();
  });
});

interface Demo {
  readonly organization: Organization;
  readonly key: string;
  /** Begins a run of the demo. */
  readonly begin: () => Promise<string>;
  /** Resolves once it has ended. */
  readonly start: () => Promise<string>;
}

async function demoOn(desk: DeskInput): Promise<Demo> {
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  const driver = await driverOf(organization, { desk });
  onTestFinished(async () => await driver.stop());
  const workflow_id = await seedDemo({ baseUrl: inject("stack").baseUrl, apiKey: key });
  const begin = async () => {
    const created = await ask<{ id: string }>("/v1/runs", { key, body: { workflow_id, ...demoInputs } });
    return created.body.id;
  };
  const start = async () => {
    const id = await begin();
    await until(async () => await hasEnded(key, id));
    return id;
  };
  return { organization, key, begin, start };
}

function row(page: Page, status: string) {
  return page.getByRole("row").filter({ hasText: status });
}
