import { describe, expect, it } from "vitest";
import type { DesktopAction } from "../../../functions/console/page/screen/desktop-action.ts";
import { InputQueue } from "../../../functions/console/page/screen/input-queue.ts";

const type = (text: string) => ({ type: "type" as const, text });
const key = (text: string): DesktopAction => ({ type: "key", text });
const click = (x: number, clicks = 1): DesktopAction => ({ type: "click", x, y: 0, button: "left", clicks });
const scroll = (amount: number): DesktopAction => ({ type: "scroll", x: 1, y: 1, direction: "down", amount });
const copy: DesktopAction = { type: "copy_to_clipboard", text: "it" };

function makeQueue() {
  let now = 0;
  let timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  const sent: (readonly DesktopAction[])[] = [];
  const answers: { readonly done: (response?: unknown) => void; readonly fail: (error: Error) => void }[] =
    [];
  const failures: unknown[] = [];
  const busy: boolean[] = [];
  const queue = new InputQueue({
    send: async (actions) => {
      sent.push(actions);
      return await new Promise((done, fail) => answers.push({ done, fail }));
    },
    after: (ms, callback) => timers.push({ atMs: now + ms, callback }),
    now: () => now,
    onState: ({ isBusy }) => busy.push(isBusy),
    onFailure: (error) => failures.push(error),
  });
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return {
    queue,
    sent,
    failures,
    busy,
    done: async (response?: unknown) => {
      answers.shift()?.done(response);
      await settle();
    },
    fail: async (error: Error) => {
      answers.shift()?.fail(error);
      await settle();
    },
    wait: async (ms: number) => {
      now += ms;
      const due = timers.filter(({ atMs }) => atMs <= now);
      timers = timers.filter(({ atMs }) => atMs > now);
      for (const { callback } of due) callback();
      await settle();
    },
  };
}

describe("the queue of a person's input", () => {
  it("sends the first action at once, and what came meanwhile in its order as a batch", async () => {
    const { queue, sent, done, busy } = makeQueue();
    queue.add(click(5));
    for (const each of [type("a"), type("b"), key("Return"), key("Tab"), type("c")]) queue.add(each);
    expect(sent).toEqual([[click(5)]]);
    await done();
    expect(sent[1]).toEqual([type("ab"), key("Return Tab"), type("c")]);
    await done();
    expect(busy.at(-1)).toBe(false);
  });

  it("collects letters for a while between two calls, but not when another action waits behind them", async () => {
    const { queue, sent, done, wait } = makeQueue();
    queue.add(type("a"));
    await done();
    queue.add(type("b"));
    queue.add(type("c"));
    await wait(199);
    expect(sent).toHaveLength(1);
    await wait(1);
    expect(sent[1]).toEqual([type("bc")]);
    await done();
    queue.add(type("d"));
    queue.add(key("Return"));
    expect(sent[2]).toEqual([type("d"), key("Return")]);
  });

  it("joins clicks at one place, and turns of the wheel", async () => {
    const { queue, sent, done } = makeQueue();
    queue.add(key("a"));
    for (const each of [click(5), click(7), click(500), scroll(1), scroll(2)]) queue.add(each);
    await done();
    expect(sent[1]).toEqual([{ ...click(5), clicks: 2 }, click(500), scroll(3)]);
  });

  it("keeps texts with other fields apart", async () => {
    const { queue, sent, done } = makeQueue();
    queue.add(key("a"));
    queue.add({ ...type("a"), as_input: "x" });
    queue.add({ ...type("b"), as_input: "x" });
    queue.add(type("c"));
    await done();
    expect(sent[1]).toEqual([{ ...type("ab"), as_input: "x" }, type("c")]);
  });

  it("makes each action a call of its own stepwise, and waits for the second click of a double one", async () => {
    const { queue, sent, done, wait } = makeQueue();
    queue.configure({ isStepwise: true });
    queue.add(click(5));
    await wait(100);
    expect(sent).toEqual([]);
    queue.add(click(5));
    expect(sent).toEqual([[click(5, 2)]]);
    queue.add(type("a"));
    queue.add(key("Return"));
    await done();
    expect(sent[1]).toEqual([type("a")]);
    await done();
    expect(sent[2]).toEqual([key("Return")]);
    await done();
    queue.add(click(9));
    await wait(250);
    expect(sent[3]).toEqual([click(9)]);
  });

  it("gives the response to the action that has one, which goes alone", async () => {
    const { queue, sent, done } = makeQueue();
    const copied: unknown[] = [];
    queue.add(key("a"));
    queue.add(key("b"));
    queue.add(copy, (response) => copied.push(response));
    queue.add(key("c"));
    await done();
    await done();
    expect(sent.slice(1)).toEqual([[key("b")], [copy]]);
    await done({ it: "text" });
    expect(copied).toEqual([{ it: "text" }]);
    expect(sent[3]).toEqual([key("c")]);
  });

  it("drops what waits behind an action that failed, and goes on with what comes next", async () => {
    const { queue, sent, failures, fail } = makeQueue();
    queue.add(click(5));
    queue.add(type("secret"));
    await fail(new Error("machine_held"));
    expect(failures).toEqual([new Error("machine_held")]);
    expect(sent).toHaveLength(1);
    queue.add(click(6));
    expect(sent[1]).toEqual([click(6)]);
  });
});
