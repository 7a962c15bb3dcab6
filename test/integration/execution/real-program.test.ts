import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { desktopOf } from "../../support/execution/demo-recording.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import { OrderForm, orderSaved, orderScript } from "../../support/execution/order-form.ts";
import { type Recording, record } from "../../support/execution/record-demo.ts";
import { missingDisplayPrograms } from "../../support/x-display/x-display.ts";

let recording: Recording;
let form: OrderForm | undefined;

describe.skipIf(missingDisplayPrograms.length > 0)("a replay on a real display with a real program", () => {
  beforeAll(async () => {
    const recorded = await OrderForm.open({ x: 0, y: 0 });
    recording = await record(desktopOf(recorded.driver), orderScript, orderSaved, () =>
      recorded.untilSaved(),
    );
    await recorded.close();
  });

  afterEach(async () => await form?.close());

  it.each([
    { x: 0, y: 0 },
    { x: 40, y: -40 },
    { x: -40, y: 13 },
    { x: 7, y: 40 },
    { x: -23, y: -31 },
  ])(
    "fills in the form with this run's inputs where its window is, $x $y",
    async (moved) => {
      form = await OrderForm.open(moved);
      const world = await executionWorld({
        recording,
        driver: form.driver,
        inputs: { item: "Chair", quantity: 12 },
        secrets: { pin: "97531" },
      });
      const executed = await world.execute();
      const run = await world.find();
      expect({ executed, error: run?.error }).toEqual({
        executed: { kind: "ended", status: "success" },
        error: [],
      });
      expect(await form.order()).toEqual(["Chair", "12", "97531"]);
      expect(run?.outputData).toMatchObject({ value: { item: "Chair" } });
    },
    60_000,
  );
});
