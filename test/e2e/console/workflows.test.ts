import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { readDemo } from "../../../infra/local/demo/demo-definition.ts";
import { hasChromium } from "../../support/browser/chromium.ts";
import { useConsoleBrowser } from "../../support/browser/console-browser.ts";
import { made } from "../../support/stack/own-resources.ts";
import { ask, createOrganization, driverOf, keyOf } from "../../support/stack/stack-client.ts";

const markup = `<img src=x onerror="document.title='taken'">`;

describe.skipIf(!hasChromium)("the console's workflows", () => {
  const { open, review } = useConsoleBrowser();

  it("are written with what they name, tagged, saved beside others, and started by a form", async () => {
    const key = keyOf(await createOrganization(), "full");
    await made(key, "/v1/workflow-tags", { name: markup, color: "url(//elsewhere)", description: markup });
    const page = await open({ key, path: "/console/workflows" });
    await page.getByRole("button", { name: "Write a workflow" }).click();
    await page.getByLabel("Name", { exact: true }).fill(markup);
    await page.getByLabel("What is to be done").fill(`Open the shop of {customer} with {$pin}. ${markup}`);
    await page.getByText("Fields of the form that starts runs: customer.").waitFor();
    await page.getByRole("button", { name: "Make the workflow" }).click();
    await page.getByRole("heading", { name: markup }).waitFor();
    const path = `/v1/workflows/${page.url().split("/").at(-1)}`;
    await page.getByRole("button", { name: "+ Tags" }).click();
    await page.getByRole("checkbox").click();
    await page.getByRole("checkbox", { checked: true }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();

    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await review(page, "workflow-edit");
    await page.getByLabel("Steps", { exact: true }).fill("50");
    await page.getByLabel("What is to be done").fill("Open the shop of {customer} in { town } with {$pin}.");
    await page.getByRole("button", { name: "Write {town}" }).click();
    await page.getByRole("button", { name: "Describe town" }).click();
    // Somebody else is faster.
    await ask(path, { key, method: "PATCH", body: { main_prompt: "Theirs", leave: "reset" } });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody else has changed this workflow").waitFor();
    await review(page, "workflow-conflict");
    await page.getByRole("button", { name: "Keep mine and save" }).click();
    await page.getByText("Everything is saved.").waitFor();
    expect((await ask(path, { key })).body).toMatchObject({
      main_prompt: "Open the shop of {customer} in {town} with {$pin}.",
      input_schema: { required: ["customer", "town"] },
      max_steps: 50,
      leave: "reset",
      tags: [{ name: markup }],
    });
    await page.getByRole("link", { name: "Earlier prompts" }).click();
    await page.getByText("Theirs").first().waitFor();
    await review(page, "workflow-versions");

    await page.getByRole("link", { name: "Start a run" }).first().click();
    await page.getByLabel("customer").fill(markup);
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.getByText("town is required.").waitFor();
    await page.getByLabel("town").fill("Bonn");
    await page.getByLabel("$pin").fill("2468");
    await review(page, "workflow-start");
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.waitForURL(/\/console\/runs\/.+/);
    const run = await ask(`/v1/runs/${page.url().split("/").at(-1)}`, { key });
    expect(run.body).toMatchObject({
      input_values: { customer: markup, town: "Bonn" },
      sensitive_input_aliases: { pin: "pin" },
    });

    await page.goto("/console/workflows");
    await page.getByRole("link", { name: markup }).waitFor();
    await review(page, "workflows");
    expect(await page.title()).not.toBe("taken");
  });

  it("show a recording as pictures, which is edited, checked and approved", async () => {
    const key = keyOf(await createOrganization(), "full");
    const demo = readDemo();
    const workflow_id = await made(key, "/v1/workflows", demo.workflow);
    const { trajectory_data: recorded } = demo.trajectory;
    const data = recorded as readonly { readonly action: object }[];
    const anchorless = { action: { type: "click", x: 1, y: 2, target: markup } };
    const trajectory_data = [anchorless, ...data];
    const id = await made(key, "/v1/trajectories", { ...demo.trajectory, workflow_id, trajectory_data });
    const page = await open({ key, path: `/console/workflows/${workflow_id}` });
    await review(page, "workflow");
    await page.getByRole("link", { name: "Recorded on the demo desk" }).click();
    await page.getByRole("button", { name: /^Approve without verifying/ }).click();
    const [first] = await frames(page);
    expect(await first?.innerText()).toContain("element 1 cannot be replayed");
    await review(page, "trajectory");
    await page.getByRole("button", { name: "Move step 1 to the back" }).click();
    await page.getByRole("button", { name: /^Remove step 2: Click <img/ }).click();
    await page.getByRole("button", { name: "Change step 4: Type" }).click();
    await page.getByLabel("Text").fill("A {item}");
    await page.getByLabel("Waits up to, in ms").fill("20000");
    await review(page, "trajectory-step");
    await page.getByRole("button", { name: "Change the step" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Everything is saved.").waitFor();
    await page.getByRole("button", { name: /^Approve without verifying/ }).click();
    await page.getByText("runs replay it").first().waitFor();
    const trajectory = async () =>
      (await ask<{ trajectory_data: readonly unknown[] }>(`/v1/trajectories/${id}`, { key })).body;
    await expect.poll(trajectory).toMatchObject({ is_approved: true, is_main: true });
    const body = await trajectory();
    expect(body.trajectory_data).toHaveLength(data.length);
    expect(body.trajectory_data[3]).toMatchObject({ action: { text: "A {item}" }, timeout_ms: 20_000 });
  });

  it("have nothing that would be refused for those who only read", async () => {
    const organization = await createOrganization();
    const workflow_id = await made(keyOf(organization, "full"), "/v1/workflows", { main_prompt: "Look" });
    const page = await open({
      key: keyOf(organization, "read"),
      path: `/console/workflows/${workflow_id}?view=edit`,
    });
    await page.getByLabel("What is to be done").waitFor();
    expect(await page.getByRole("button", { name: /Save|Delete|Duplicate|Tags/ }).count()).toBe(0);
  });

  it("are shown once on a desktop, verified, and done again with other inputs", async () => {
    const organization = await createOrganization();
    const key = keyOf(organization, "full");
    const driver = await driverOf(organization);
    onTestFinished(async () => await driver.stop());
    const page = await open({ key, path: "/console/recordings" });
    await page.getByLabel("What is to be done").fill("Enter an order of {item}.");
    await review(page, "recording-start");
    await page.getByRole("button", { name: "Begin to record" }).click();
    const begun = page.getByRole("button", { name: "Open Orders" });
    await begun.click();
    await recorded(page, 1);
    await clickDesktop(page, 300, 306);
    await recorded(page, 2);
    await clickDesktop(page, 650, 232);
    await recorded(page, 3);
    await page.getByLabel("Type", { exact: true }).fill("Desk lamp");
    await page.getByLabel("named").fill("item");
    await page.getByRole("button", { name: "Type it" }).click();
    await recorded(page, 4);
    await review(page, "recording");
    await clickDesktop(page, 650, 274);
    await recorded(page, 5);
    await page.keyboard.type("3");
    await clickDesktop(page, 690, 316);
    await page.keyboard.type("2468");
    await clickDesktop(page, 690, 442);
    // What still waits for the desktop is part of the recording.
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByRole("heading", { name: "10 steps" }).waitFor();
    await page.getByLabel("Name of the input that step 6 types").fill("quantity");
    await page.getByRole("button", { name: "Make it an input" }).first().click();
    await page.getByText("{quantity} is an input.").waitFor();
    await review(page, "demonstration");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await page.getByText("Give at least one other value than the recorded one.").waitFor();
    await page.getByLabel("item").fill("Chair");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    // The recorded end shows the number of the recorded order.
    await page.getByRole("button", { name: "Leave it out and verify again" }).click();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByRole("link", { name: /^Run it again/ }).click();
    await page.getByLabel("item").fill("Table");
    await page.getByLabel("quantity").fill("7");
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.getByText("success", { exact: true }).first().waitFor();
    const run = await ask(`/v1/runs/${page.url().split("/").at(-1)}`, { key });
    expect(run.body).toMatchObject({ status: "success", input_values: { item: "Table", quantity: "7" } });
  });
});

async function frames(page: Page) {
  await page.getByText("cannot be replayed").first().waitFor();
  return await page.getByRole("list", { name: "Steps of the recording" }).getByRole("listitem").all();
}

async function recorded(page: Page, count: number): Promise<void> {
  await page.getByRole("heading", { name: new RegExp(`^${count} steps?$`) }).waitFor();
}

/** In pixels of the demo desk. */
async function clickDesktop(page: Page, x: number, y: number): Promise<void> {
  const box = await page.getByLabel(/^Mouse and keyboard of/).boundingBox();
  if (box === null) throw new Error("the desktop is not to be seen");
  await page.mouse.click(box.x + (x * box.width) / 1_280, box.y + (y * box.height) / 800);
}
