import { describe, expect, it } from "vitest";
import { AnswerTimes } from "../../../shared/tunnel/answer-times.ts";

describe("the time at which an answer is likely", () => {
  it("is a little before the second shortest of a kind's last five", () => {
    const times = new AnswerTimes();
    for (const ms of [10, 100]) times.note(["a"], ms);
    expect(times.expect(["a"])).toBeUndefined();
    for (const ms of [200, 300, 400]) times.note(["a"], ms);
    expect(times.expect(["a"])).toBe(95);
    times.note(["a"], 500);
    expect(times.expect(["a"])).toBe(190);
    expect(times.expect(["b"])).toBeUndefined();
    expect(times.expect(["b", "a"])).toBe(190);
  });

  it("comes closer to what answers take, where nothing but the looks says when they came", () => {
    const times = new AnswerTimes();
    for (const ms of [100, 100, 100]) times.note(["a"], ms);
    for (let call = 0; call < 80; call++) times.note(["a"], Math.max(20, times.expect(["a"]) ?? 0));
    expect(times.expect(["a"])).toBeLessThanOrEqual(20);
  });

  it("is kept for the last thousand kinds", () => {
    const times = new AnswerTimes();
    for (let kind = 0; kind <= 1_000; kind++) for (const ms of [10, 10, 10]) times.note([String(kind)], ms);
    expect([times.expect(["0"]), times.expect(["1"])]).toEqual([undefined, 9]);
  });
});
