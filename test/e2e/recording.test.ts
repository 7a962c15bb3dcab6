import { expect, it, onTestFinished } from "vitest";
import { Recording } from "../../shared/contract/recording.ts";
import { RunStepList } from "../../shared/contract/run/run-step.ts";
import { WrittenTrajectory } from "../../shared/contract/trajectory/trajectory.ts";
import { decodePng } from "../support/pictures/decode-png.ts";
import { made } from "../support/stack/own-resources.ts";
import { hasEnded, readRun } from "../support/stack/service-runs.ts";
import { ask, createOrganization, driverOf, keyOf } from "../support/stack/stack-client.ts";
import { until } from "../support/stack/until.ts";

/** Longer than what ids have by chance. */
const pin = "246813579";

it("what a person does on a desktop becomes a trajectory, which is verified and does other orders", async () => {
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  const driver = await driverOf(organization, { desk: {} });
  onTestFinished(async () => await driver.stop());
  const { machineId: machine_id } = driver;
  const patch = async (path: string, body: object) => await ask(path, { key, method: "PATCH", body });
  await patch(`/v1/machines/${machine_id}`, { machine_sensitive_parameters: { pin } });
  const workflow_id = await made(key, "/v1/workflows", {
    main_prompt: "Order {quantity} of {item}.",
    replay: "only",
  });
  const recordingId = await made(key, "/v1/recordings", { machine_id, workflow_id });
  const act = async (path: string, body: object) => {
    const { status, body: answer } = await ask(`/v1/computer/${machine_id}/${path}`, { key, body });
    expect({ path, status, answer }).toMatchObject({ status: 200 });
  };
  const click = async (x: number, y: number, clicks = 1) => await act("input/mouse/click", { x, y, clicks });
  const type = async (body: object) => await act("input/keyboard/type", body);
  await click(68, 66, 2);
  await click(300, 306);
  await click(650, 232);
  await type({ text: "Desk lamp", as_input: "item" });
  await click(650, 274);
  await type({ text: "3", as_input: "quantity" });
  await click(650, 316);
  await type({ text: "{$pin}" });
  await click(690, 442);
  await click(897, 490);
  await act("copy_to_clipboard", { text: "order_number" });
  await click(1057, 87);
  const recording = Recording.parse((await ask(`/v1/recordings/${recordingId}`, { key })).body);
  expect(recording).toMatchObject({
    status: "recording",
    element_count: 12,
    input_names: ["item", "quantity"],
  });
  const finished = await ask(`/v1/recordings/${recordingId}/finish`, { key, method: "POST", body: {} });
  expect(finished.status).toBe(201);
  const trajectory = WrittenTrajectory.parse(finished.body);
  expect(JSON.stringify([finished.body, recording])).not.toContain(pin);
  expect(trajectory).toMatchObject({
    is_approved: false,
    original_input_values: { item: "Desk lamp", quantity: "3" },
  });
  const elements = trajectory.trajectory_data as readonly {
    readonly by: string;
    readonly action: Readonly<Record<string, unknown>>;
    readonly screen?: object;
  }[];
  expect(elements.map(({ by, action }) => [by, action.type, action.text].filter(Boolean).join(" "))).toEqual([
    ...["replay click", "replay click", "replay click", "replay type {item}"],
    ...["replay click", "replay type {quantity}", "replay click", "replay type {$pin}"],
    ...["replay click", "replay click", "replay copy_to_clipboard", "replay click", "replay finish"],
  ]);
  const screen = await ask(`/v1/recordings/${recordingId}/steps/1/screenshot`, { key });
  expect(decodePng(screen.bytes)).toMatchObject({ width: 1280, height: 800 });
  const listed = await ask<{ items: readonly { id: string }[] }>("/v1/recordings?status=finished", { key });
  expect(listed.body.items.map(({ id }) => id)).toEqual([recordingId]);
  const path = `/v1/trajectories/${trajectory.id}`;
  // The button is clicked somewhere else: its anchor is cut anew.
  const moved = { by: "replay", action: { ...elements[8]?.action, x: 680 }, screen: elements[8]?.screen };
  const edited = await patch(path, {
    trajectory_data: [...elements.slice(0, 8), moved, ...elements.slice(9)],
  });
  expect(edited).toMatchObject({ status: 200, body: { warnings: expect.any(Array) } });
  expect(Object(edited.body.trajectory_data)[8]).toMatchObject({
    ...moved,
    anchor: { png: expect.any(String), thumbnail: expect.any(String) },
  });
  const ended = async (id: string) => {
    await until(async () => await hasEnded(key, id));
    const { status, error, output_data } = await readRun(key, id);
    return { status, error, output_data };
  };
  const input_values = { item: "Chair", quantity: "4" };
  const verification = await ask<{ run: { id: string } }>(`${path}/verify`, {
    key,
    body: { input_values, machine_id },
  });
  expect(await ended(verification.body.run.id)).toMatchObject({ status: "success", error: [] });
  expect((await patch(path, { is_approved: true })).status).toBe(200);
  const runId = await made(key, "/v1/runs", {
    workflow_id,
    machine_id,
    input_values: { item: "Lamp", quantity: "2" },
  });
  expect(await ended(runId)).toMatchObject({
    status: "success",
    error: [],
    output_data: { order_number: expect.stringMatching(/^\d{4}$/) },
  });
  const { items } = RunStepList.parse((await ask(`/v1/runs/${runId}/steps`, { key })).body);
  expect(items.filter(({ source }) => source === "replay")).toHaveLength(13);
});
