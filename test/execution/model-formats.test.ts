import { expect, it, onTestFinished } from "vitest";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { heldWorld } from "../support/execution/held-world.ts";
import { formats, lookingProvider, ordersTask, overTheWire } from "../support/execution/looking-provider.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";
import { providerKinds } from "../support/providers/start-provider.ts";
import { canariesIn } from "../support/stack/canaries.ts";

it.each(formats)(
  "a run is carried out by a model of %s that looks at the pictures it is sent",
  async (kind) => {
    const started = await lookingProvider(kind);
    onTestFinished(() => started.server.stop());
    const pin = "canary-4711";
    const { inputs, mainPrompt } = ordersTask(1);
    const world = await executionWorld({
      recording: demoRecording(),
      inputs,
      secrets: { pin },
      workflow: { mainPrompt },
      model: overTheWire(started),
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const { server } = started;
    expect(server.refusals).toEqual([]);
    const [order, ...more] = world.driver.screen.desk.orders;
    expect([order, more]).toMatchObject([{ customer: "Daniel Weiß", item: "Chair", quantity: 2 }, []]);
    expect(await world.find()).toMatchObject({
      error: [],
      outputData: { value: { order_number: String(order?.number) } },
      usageMetadata: {
        agentic_steps: 12,
        input_tokens: server.tokens.input,
        cached_tokens: server.tokens.cached,
      },
    });
    const sent = server.requests
      .map(({ path, headers, text }) => JSON.stringify([path, headers]) + text)
      .join();
    expect(sent).toContain("{$pin}");
    expect(canariesIn(sent, { pin })).toEqual([]);
  },
);

it.each(providerKinds)(
  "a model of %s asks a person, and reads the note as the result of its call",
  async (kind) => {
    const question = "Which code was sent to your phone?";
    const started = await lookingProvider(kind, ({ results }) =>
      results.length === 0
        ? [{ call: "ask_person", args: { question } }]
        : [{ call: "finish", args: { output: { said: results.at(-1)?.text ?? "" } } }],
    );
    onTestFinished(() => started.server.stop());
    const { world, seen } = await heldWorld({
      recording: scrolls(1),
      desk: smallDesk,
      secrets: {},
      workflow: { mayAsk: true },
      model: overTheWire(started),
      meanwhile: async ({ resume }) => await resume("it is 4711"),
    });
    expect(started.server.refusals).toEqual([]);
    expect(seen).toMatchObject([{ held: { by: { kind: "model" }, reason: question } }]);
    expect(await world.find()).toMatchObject({
      status: "success",
      outputData: { value: { said: expect.stringMatching(/it is 4711$/) } },
    });
  },
);
