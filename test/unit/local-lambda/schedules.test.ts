import { describe, expect, it, vi } from "vitest";
import { parseRate, Schedules } from "../../../infra/local/events/schedules.ts";
import type { ScheduleModel } from "../../../infra/local/template/application.ts";

const everyMinute: ScheduleModel = {
  address: "stack/Rule",
  name: "rule",
  expression: "rate(1 minute)",
  enabled: true,
  functionAddress: "stack/Sweeper",
  input: undefined,
};

function schedulesOf(changes: Partial<ScheduleModel> = {}) {
  const invokeAsync = vi.fn(async () => undefined);
  const invoke = vi.fn(async () => ({ ok: true as const, payload: "swept" }));
  const report = vi.fn();
  const schedules = new Schedules({
    schedules: [{ ...everyMinute, ...changes }],
    invokeAsync,
    invoke,
    report,
  });
  return { schedules, invokeAsync, invoke, report };
}

describe("rate expressions", () => {
  it.each([
    ["rate(1 minute)", 60_000],
    ["rate(5 minutes)", 300_000],
    ["rate(2 hours)", 7_200_000],
    ["rate(1 day)", 86_400_000],
    ["cron(0 12 * * ? *)", undefined],
  ])("%s", (expression, expected) => {
    expect(parseRate(expression)).toBe(expected);
  });
});

describe("a schedule", () => {
  it("runs after each interval, not at the start", async () => {
    vi.useFakeTimers();
    const { schedules, invokeAsync } = schedulesOf();
    schedules.start();
    expect(invokeAsync).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(120_000);
    schedules.stop();
    await vi.advanceTimersByTimeAsync(120_000);
    vi.useRealTimers();
    expect(invokeAsync).toHaveBeenCalledTimes(2);
    expect(invokeAsync).toHaveBeenCalledWith(
      "stack/Sweeper",
      expect.objectContaining({ source: "aws.events" }),
    );
  });

  it("does not run while it is disabled", async () => {
    vi.useFakeTimers();
    const { schedules, invokeAsync } = schedulesOf({ enabled: false });
    schedules.start();
    await vi.advanceTimersByTimeAsync(120_000);
    schedules.stop();
    vi.useRealTimers();
    expect(invokeAsync).not.toHaveBeenCalled();
  });

  it("can be fired at once, with its own input, and tells how that went", async () => {
    const { schedules, invoke } = schedulesOf({ input: { sweep: true } });
    const [schedule] = schedules.list();
    expect(await schedules.fire(schedule ?? everyMinute)).toEqual({ ok: true, payload: "swept" });
    expect(invoke).toHaveBeenCalledWith("stack/Sweeper", { sweep: true });
  });

  it("is reported when it is a cron expression, which is not kept here", () => {
    const { schedules, report } = schedulesOf({ expression: "cron(0 12 * * ? *)" });
    schedules.start();
    schedules.stop();
    expect(report).toHaveBeenCalledWith(expect.stringContaining("cron(0 12 * * ? *)"));
  });
});
