import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { expect, it } from "vitest";
import { replayQueue } from "../../../infra/replay/replay-queue.ts";

function setUp(bodies: readonly unknown[], answers: (event: unknown) => object) {
  const left = new Map(bodies.map((body, at) => [`receipt ${at}`, JSON.stringify(body)]));
  let shown = 0;
  const sqs = async (command: unknown) => {
    if (command instanceof DeleteMessageCommand) left.delete(command.input.ReceiptHandle ?? "");
    if (!(command instanceof ReceiveMessageCommand)) return {};
    const all = [...left].map(([ReceiptHandle, Body]) => ({ MessageId: ReceiptHandle, ReceiptHandle, Body }));
    const start = shown % Math.max(1, all.length);
    shown += 2;
    return { Messages: all.slice(start, start + 2) };
  };
  const events: unknown[] = [];
  const lambda = async (command: unknown) => {
    if (!(command instanceof InvokeCommand)) throw new Error("what is this?");
    const event: unknown = JSON.parse(String(command.input.Payload));
    events.push(event);
    return answers(event);
  };
  const input = {
    sqs: { send: sqs as unknown } as Pick<SQSClient, "send">,
    lambda: { send: lambda as unknown } as Pick<LambdaClient, "send">,
    queueUrl: "https://queue",
    functionName: "projector",
  };
  return { left, events, input };
}

const payload = (batchItemFailures: readonly object[]) => ({
  Payload: new TextEncoder().encode(JSON.stringify({ batchItemFailures })),
});

it("sends each message once, and deletes what is done", async () => {
  const bodies = ["good", "bad", "crash", "good too"].map((id) => ({ Records: [{ id }] }));
  const note = { DDBStreamBatchInfo: { batchSize: 3 } };
  const { left, events, input } = setUp([...bodies, note], (event) => {
    const text = JSON.stringify(event);
    if (text.includes("crash")) return { FunctionError: "Unhandled" };
    return payload(text.includes("bad") ? [{ itemIdentifier: "1" }] : []);
  });
  const replayed = await replayQueue(input);
  expect(replayed).toEqual({ done: 2, failed: 2, notes: [JSON.stringify(note)] });
  expect([...left.values()].map((body) => JSON.parse(body))).toEqual([bodies[1], bodies[2], note]);
  expect(events).toHaveLength(4);
  expect(events).toContainEqual({ ...bodies[0], is_replay: true });
});

it("sends attempts as they were, and leaves what executions have left", async () => {
  const attempts = ["good", "bad"].map((id) => ({ delivery_id: id, number: 1, start_id: `start of ${id}` }));
  const execution = { delivery_id: "waits", number: 2, sender: "webhook-sender" };
  const { left, events, input } = setUp([...attempts, execution], (event) =>
    JSON.stringify(event).includes("bad")
      ? { FunctionError: "Unhandled" }
      : { Payload: new TextEncoder().encode("null") },
  );
  const replayed = await replayQueue(input);
  expect(replayed).toEqual({ done: 1, failed: 1, notes: [JSON.stringify(execution)] });
  expect([...left.values()].map((body) => JSON.parse(body))).toEqual([attempts[1], execution]);
  expect(events).toEqual(attempts);
});
