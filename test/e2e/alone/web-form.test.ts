import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type StartedProvider, startProvider } from "../../support/providers/start-provider.ts";
import { createOrganization, keyOf } from "../../support/stack/stack-client.ts";
import { OutsideForm, OutsideModel, type OutsideRun } from "../../support/web-form/outside-form.ts";
import { missingDisplayPrograms } from "../../support/x-display/x-display.ts";

const recorded = { customer: "Clara Lindt", reference: "Chairs, second floor", amount: "240.00" };
const other = { ...recorded, reference: "Tables, ground floor", amount: "99.50" };

/** Long enough for late screens, and short enough for screens that never come. */
const timeoutMs = 2_500;

function expectTruth({ status, isDone, beside, saved }: OutsideRun): void {
  expect({ beside, isTrue: status !== "success" || isDone, saved }).toEqual({
    beside: [],
    isTrue: true,
    saved,
  });
}

describe.skipIf(missingDisplayPrograms.length > 0)("a form in Chromium, from outside", () => {
  let form: OutsideForm;
  let provider: StartedProvider;

  beforeAll(async () => {
    const organization = await createOrganization();
    const { baseUrl, websocketUrl } = inject("stack");
    const model = new OutsideModel();
    provider = await startProvider("anthropic with functions", model.decide, inject("modelsPort"));
    form = await OutsideForm.open({
      api: { baseUrl, apiKey: keyOf(organization, "full") },
      websocketUrl,
      provider,
      model,
      driverKey: keyOf(organization, "driver"),
    });
  });
  afterAll(async () => {
    await Promise.all([form?.close(), provider?.server.stop()]);
  });

  it("is recorded of a model's run, led back to its start by the next, and verified twice in a row", async () => {
    const workflow = await form.createWorkflow(recorded, ["reference", "amount"]);
    await form.web.show({});
    const first = await form.run(workflow, recorded);
    expect(first).toMatchObject({ status: "success", error: "", isDone: true, beside: [] });
    const made = await form.trajectoryOf(first);
    expect((await form.approve(made)).join()).toContain("ends elsewhere than it begins");
    await form.makeMain(made.id);
    const second = await form.run(workflow, other);
    expect(second).toMatchObject({ status: "success", error: "", isDone: true, beside: [], calls: 1 });
    const trajectory = await form.trajectoryOf(second);
    expect(trajectory.reset).toHaveLength(1);
    await form.approve(trajectory, timeoutMs);
    const verified = await form.verify(workflow, trajectory.id, { ...other, amount: "12.75" });
    expect(verified).toMatchObject({ status: "success", error: "", isDone: true, beside: [], calls: 0 });
    expect((await form.trajectory(trajectory.id)).verified_at).not.toBeNull();
    expect(provider.server.refusals).toEqual([]);
  });

  it.each<[OutsideModel["names"], number]>([
    ["in its field", 0],
    ["in words", 0],
    ["nowhere", 4],
  ])(
    "asks a model for the row of a customer with a short name, whom one has named %s",
    async (names, described) => {
      form.model.names = names;
      const page = { rows: ["ABB", "XL", "KLM", "XLS"] };
      const [recordedXl, another] = [
        { ...recorded, customer: "XL" },
        { ...other, customer: "KLM" },
      ];
      const workflow = await form.createWorkflow(recordedXl, ["customer", "reference", "amount"]);
      await form.web.show(page);
      const first = await form.run(workflow, recordedXl);
      expect(first).toMatchObject({ status: "success", error: "", isDone: true, calls: 7 + described });
      const made = await form.trajectoryOf(first);
      const ofModel = made.trajectory_data.filter(({ by }) => by === "model");
      expect(ofModel.map(({ action }) => action)).toMatchObject([
        { type: "click", target: expect.stringContaining("the row of {customer}") },
      ]);
      expect((await form.approve(made, timeoutMs)).join()).toContain("its target names {customer}");
      await form.web.show(page);
      const verified = await form.verify(workflow, made.id, another);
      expectTruth(verified);
      expect(verified).toMatchObject({ status: "error", errorCode: "trajectory_needs_model", saved: [] });
      expect((await form.trajectory(made.id)).verified_at).toBeNull();
      await form.makeMain(made.id);
      const run = await form.run(workflow, another);
      expectTruth(run);
      expect(run).toMatchObject({ status: "success", error: "", isDone: true, beside: [] });
      expect(run.stepMs.length).toBeGreaterThan(2);
    },
  );
});
