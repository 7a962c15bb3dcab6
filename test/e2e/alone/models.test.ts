import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ProviderCredential } from "../../../shared/contract/provider-credential.ts";
import { RunStepList } from "../../../shared/contract/run/run-step.ts";
import { TrajectoryList } from "../../../shared/contract/trajectory/trajectory.ts";
import { UsageAggregate } from "../../../shared/contract/usage.ts";
import { hasChromium } from "../../support/browser/chromium.ts";
import { useConsoleBrowser } from "../../support/browser/console-browser.ts";
import { decideByPicture } from "../../support/providers/decide-by-picture.ts";
import { type StartedProvider, startProvider } from "../../support/providers/start-provider.ts";
import type { Decide } from "../../support/providers/wire-format.ts";
import { canariesIn } from "../../support/stack/canaries.ts";
import { made } from "../../support/stack/own-resources.ts";
import { hasEnded, readRun } from "../../support/stack/service-runs.ts";
import type { SpawnedDriver } from "../../support/stack/spawn-driver.ts";
import { ask, createOrganization, driverOf, keyOf } from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";

const main_prompt =
  "Make an order for Daniel Weiß: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";
const pin = "canary-4711";

let key: string;
let driver: SpawnedDriver;
let provider: StartedProvider;
let workflowId: string;
let askingId: string;

const question = "Which number was sent to your phone?";
const askingPrompt = "Put out the number that was sent to the phone.";

/** A model with this task asks a person, and puts out what it is told. */
const decide: Decide = (seen) => {
  if (!seen.task.includes(askingPrompt)) return decideByPicture(seen);
  const answer = seen.results.at(-1);
  return [
    answer === undefined
      ? { call: "ask_person", args: { question } }
      : { call: "finish", args: { output: JSON.stringify({ number: /\d+$/.exec(answer.text)?.[0] }) } },
  ];
};

beforeAll(async () => {
  const organization = await createOrganization();
  key = keyOf(organization, "full");
  const desk = { seed: 5 };
  driver = await driverOf(organization, { desk });
  provider = await startProvider("anthropic", decide, inject("modelsPort"));
  const { model } = provider;
  const configuration = { name: "the model", provider: provider.provider, model };
  const model_configuration_id = await made(key, "/v1/model-configurations", configuration);
  workflowId = await made(key, "/v1/workflows", { main_prompt, model_configuration_id });
  const asking = { main_prompt: askingPrompt, model_configuration_id, may_ask: true };
  askingId = await made(key, "/v1/workflows", asking);
});
afterAll(async () => {
  await Promise.all([driver?.stop(), provider?.server.stop()]);
});

async function setKey(api_key: string): Promise<void> {
  const body = { auth_type: "api_key", api_key };
  const put = await ask("/v1/provider-credentials/anthropic", { method: "PUT", key, body });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
}

async function runIt() {
  const id = await made(key, "/v1/runs", {
    workflow_id: workflowId,
    input_values: { item: "Desk lamp", quantity: 3 },
    sensitive_input_values: { pin },
  });
  await until(async () => await hasEnded(key, id));
  return await readRun(key, id);
}

it("a run whose provider refuses the key ends, and the key's slot shows why", async () => {
  await setKey("sk-of-somebody-who-is-not-known");
  expect(await runIt()).toMatchObject({ status: "error", error_code: "provider_key_invalid" });
  const slot = await ask("/v1/provider-credentials/anthropic", { key });
  expect(ProviderCredential.parse(slot.body)).toMatchObject({
    status: "invalid",
    last_error: expect.stringContaining("the key is wrong"),
  });
});

it("a run without a trajectory is carried out by a model that looks at the screen", async () => {
  const { server, model, key: own } = provider;
  if (own.authType !== "api_key") throw new Error("the stand-in has another key");
  await setKey(own.apiKey);
  const { id, ...run } = await runIt();
  const { input: input_tokens, cached: cached_tokens } = server.tokens;
  expect(run).toMatchObject({
    status: "success",
    error: [],
    output_data: { item: "Desk lamp", quantity: "3", order_number: expect.stringMatching(/^\d{4}$/) },
    usage_metadata: { replayed_steps: 0, input_tokens, cached_tokens },
  });
  const { items: steps } = RunStepList.parse((await ask(`/v1/runs/${id}/steps`, { key })).body);
  expect(steps.map(({ source }) => source)).toEqual(["service", ...steps.slice(1).map(() => "model")]);
  for (const step of steps.slice(1)) {
    expect(step).toMatchObject({ model, usage: { output_tokens: 40 }, status: "done" });
  }
  const today = new Date().toISOString().slice(0, 10);
  const days = `from_date=${run.started_at?.slice(0, 10)}&to_date=${today}`;
  const used = async () => UsageAggregate.parse((await ask(`/v1/usage/aggregate?${days}`, { key })).body);
  // The projector counts an end once the stream has it.
  await expect.poll(used).toMatchObject({
    runs: { success: 1, error: 1 },
    steps: { agentic: steps.length - 1, replayed: 0 },
    tokens: [{ provider: "anthropic", model, input_tokens, cached_tokens }],
  });
  const listed = await ask(`/v1/trajectories?workflow_id=${workflowId}`, { key });
  expect(TrajectoryList.parse(listed.body).items).toMatchObject([
    { is_generated: true, is_approved: false, is_main: false, run_id: id },
  ]);
  expect(server.refusals).toEqual([]);
  const sent = server.requests.map(({ path, headers, text }) => JSON.stringify({ path, headers }) + text);
  expect(sent.join()).toContain("{$pin}");
  expect(canariesIn(sent.join(), { pin })).toEqual([]);
});

async function beginAsking(): Promise<string> {
  const id = await made(key, "/v1/runs", { workflow_id: askingId });
  const waiting = "/v1/runs?waiting_for_person=true";
  await until(async () => (await ask<{ items: { id: string }[] }>(waiting, { key })).body.items.length > 0);
  return id;
}

it("a model holds its run by asking a person, whose note is its answer", async () => {
  const id = await beginAsking();
  const asked = await readRun(key, id);
  expect(asked).toMatchObject({
    status: "running",
    held: { by: { kind: "model", id: null }, reason: question },
  });
  const resumed = await ask(`/v1/runs/${id}/resume`, { key, body: { note: "It is 4711" } });
  expect(resumed.status, JSON.stringify(resumed.body)).toBe(200);
  await until(async () => await hasEnded(key, id));
  expect(await readRun(key, id)).toMatchObject({ status: "success", output_data: { number: "4711" } });
  const { items } = RunStepList.parse((await ask(`/v1/runs/${id}/steps`, { key })).body);
  expect(items.map(({ source, action, text }) => [source, action.type, text])).toEqual([
    ["service", "screenshot", null],
    ["model", "ask_person", null],
    ["service", "resume", "It is 4711"],
    ["model", "finish", null],
  ]);
});

describe.skipIf(!hasChromium)("the console", () => {
  const { open, review } = useConsoleBrowser();

  it("shows a model's question, and takes the answer", async () => {
    const id = await beginAsking();
    const page = await open({ key, path: `/console/runs/${id}` });
    await page.getByRole("heading", { name: "The model asks for a person" }).waitFor();
    await page.getByText(`“${question}”`).waitFor();
    await review(page, "run-asks");
    await page.getByLabel("Your answer").fill("It is 4712");
    await page.getByRole("button", { name: "Resume the run" }).click();
    await until(async () => await hasEnded(key, id));
    expect(await readRun(key, id)).toMatchObject({ status: "success", output_data: { number: "4712" } });
  });
});
