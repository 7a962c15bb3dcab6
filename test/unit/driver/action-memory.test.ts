import { describe, expect, it } from "vitest";
import { jsonAnswer } from "../../../infra/driver/answer.ts";
import { ActionMemory } from "../../../infra/driver/tunnel/action-memory.ts";
import { ManualTiming } from "../../support/fake-service/manual-timing.ts";

function answerOf(bytes: number) {
  return { status: 200, headers: {}, body: new Uint8Array(bytes) };
}

describe("the memory of actions", () => {
  it("keeps the last 1,000", async () => {
    const memory = new ActionMemory(new ManualTiming());
    for (let action = 0; action <= 1_000; action += 1)
      await memory.run(`a${action}`, async () => jsonAnswer(200, {}));
    expect(memory.find("a0").kind).toBe("unknown");
    expect(memory.find("a1").kind).toBe("answered");
    expect(memory.find("a1000").kind).toBe("answered");
  });

  it("counts the 10 minutes from the answer, not from the beginning", async () => {
    const timing = new ManualTiming();
    const memory = new ActionMemory(timing);
    const held = Promise.withResolvers<ReturnType<typeof answerOf>>();
    const done = memory.run("slow", () => held.promise);
    await timing.advance(900_000);
    expect(memory.find("slow").kind).toBe("in_flight");
    held.resolve(answerOf(1));
    await done;
    await timing.advance(599_999);
    expect(memory.find("slow").kind).toBe("answered");
    await timing.advance(1);
    expect(memory.find("slow").kind).toBe("unknown");
  });

  it("lets go of the oldest bodies above its budget, and still knows that those actions were done", async () => {
    const memory = new ActionMemory(new ManualTiming(), 100);
    await memory.run("first", async () => answerOf(60));
    await memory.run("second", async () => answerOf(60));
    await memory.run("huge", async () => answerOf(101));
    expect(memory.find("first").kind).toBe("answer_gone");
    expect(memory.find("second").kind).toBe("answered");
    expect(memory.find("huge").kind).toBe("answer_gone");
  });

  it("lets go of pictures before anything else, and keeps what was done", async () => {
    const memory = new ActionMemory(new ManualTiming(), 100);
    const brief = answerOf(10);
    await memory.run("text", async () => answerOf(20));
    for (const id of ["first", "second"]) await memory.run(id, async () => ({ ...answerOf(60), brief }));
    expect(memory.find("first")).toEqual({ kind: "answered", answer: brief });
    expect(memory.find("second")).toMatchObject({ kind: "answered", answer: { brief } });
    await memory.run("huge", async () => ({ ...answerOf(101), brief }));
    expect(memory.find("huge")).toEqual({ kind: "answered", answer: brief });
    expect(memory.find("text").kind).toBe("answered");
    await memory.run("more", async () => answerOf(90));
    expect(["text", "first", "second", "huge"].map((id) => memory.find(id).kind)).toEqual([
      ...["answer_gone", "answer_gone"],
      ...["answer_gone", "answered"],
    ]);
  });

  it("keeps what was done of a picture that is not in memory", async () => {
    const memory = new ActionMemory(new ManualTiming());
    const body = { size: 5, open: async () => undefined };
    await memory.run("streamed", async () => ({ status: 200, headers: {}, body }));
    expect(memory.find("streamed").kind).toBe("answer_gone");
    await memory.run("after", async () => answerOf(1));
    expect(memory.find("after").kind).toBe("answered");
  });

  it("gives the same answer to whoever asks while it is in flight", async () => {
    const memory = new ActionMemory(new ManualTiming());
    const held = Promise.withResolvers<ReturnType<typeof answerOf>>();
    const done = memory.run("one", () => held.promise);
    const found = memory.find("one");
    held.resolve(answerOf(3));
    expect(found.kind === "in_flight" && (await found.answer) === (await done)).toBe(true);
  });
});
