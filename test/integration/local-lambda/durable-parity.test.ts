import { fileURLToPath } from "node:url";
import { LocalDurableTestRunner } from "@aws/durable-execution-sdk-js-testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { HistoryEvent } from "../../../infra/local/lambda/durable/history.ts";
import { handler } from "./durable-handler.ts";
import { bundleHandler, startDurableStack } from "./durable-harness.ts";
import { durableApplication } from "./durable-template.ts";

const payload = { items: 40 };

/** The part of a history that both must agree on: each operation's events in order, without times. */
function outline(events: readonly Partial<HistoryEvent>[]): object {
  const byOperation = new Map<string, unknown[]>();
  for (const { EventId: _id, EventTimestamp: _at, ...event } of events) {
    const { EventType: type = "", Id: id = "", ...rest } = event;
    // The execution's own id differs each time, and so does its number of invocations.
    if (type.startsWith("Execution") || type === "InvocationCompleted") continue;
    byOperation.set(id, [...(byOperation.get(id) ?? []), [type, withoutTimes(rest)]]);
  }
  return Object.fromEntries([...byOperation].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Also removes the attempt, which the runner reads before it has counted it. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, each) =>
      ["ScheduledEndTimestamp", "StackTrace", "CurrentAttempt"].includes(name) ? undefined : each,
    ),
  );
}

beforeAll(async () => await LocalDurableTestRunner.setupTestEnvironment({ skipTime: true }));
afterAll(async () => await LocalDurableTestRunner.teardownTestEnvironment());

it("does with a handler what the testing package's runner does with it", async () => {
  const expected = await new LocalDurableTestRunner({ handlerFunction: handler }).run({ payload });

  const file = fileURLToPath(new URL("./durable-handler.ts", import.meta.url));
  const durable = await bundleHandler(`export { handler } from ${JSON.stringify(file)};`);
  const watcher = await bundleHandler("export const handler = async () => undefined;");
  const stack = await startDurableStack(
    durableApplication({ durable, watcher, executionTimeout: 31_622_400 }),
    inject("dynamoDbUrl"),
  );
  const arn = await stack.start("parity", payload);
  const skipping = setInterval(() => stack.clock.skip(5_000), 20);
  const ending = await stack.engine.ended(stack.engine.get(arn));
  clearInterval(skipping);
  const { events } = stack.engine.get(arn).history;
  await stack.stop();

  expect(ending.status).toBe("SUCCEEDED");
  expect(expected.getStatus()).toBe("SUCCEEDED");
  expect(JSON.parse(ending.result ?? "")).toEqual(expected.getResult());
  expect(outline(events)).toEqual(outline(expected.getHistoryEvents() as unknown as HistoryEvent[]));
});
