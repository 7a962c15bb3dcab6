import { describe, expect, it } from "vitest";
import type { Action } from "../../shared/domain/action/action.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { type Decide, failedWith, replyWith, usage } from "../support/execution/fake-models.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";

const finish: Action = { type: "finish" };

function linesOf({ logger }: ExecutionWorld) {
  return logger.lines.filter(({ message }) => message === "step taken").map(({ fields }) => fields);
}

async function byModel(decide: Decide, between?: (world: { advance(ms: number): void }) => void) {
  const world: ExecutionWorld = await executionWorld({
    recording: scrolls(1),
    desk: smallDesk,
    workflow: { mainPrompt: "Look around." },
    model: { decide },
    between: async (request, driver) => {
      between?.(world.clock);
      return await driver.request(request);
    },
  });
  await world.execute();
  return world;
}

describe("the executor's line of a step", () => {
  it("is written once for each step, however often the execution is replayed", async () => {
    const world = await byModel((_, nth) => replyWith([nth < 4 ? { type: "wait", seconds: 30 } : finish]));
    const taken = world.durable.operations.filter(({ kind, name }) => kind === "step" && /\d$/.test(name));
    expect(world.durable.invocations).toBeGreaterThan(3);
    expect(linesOf(world)).toHaveLength(taken.length);
    expect(linesOf(world).map((line) => line.waits_for)).toContain("time");
  });

  it("has the times of the model and of the desktop apart, and whose step it is", async () => {
    let slow: ExecutionWorld["clock"] | undefined;
    const world = await byModel(
      () => {
        slow?.advance(7_000);
        return replyWith([finish]);
      },
      (clock) => {
        slow = clock as ExecutionWorld["clock"];
        clock.advance(300);
      },
    );
    const { organizationId, runId, assignmentId } = world.job;
    const ids = { organization_id: organizationId, run_id: runId, assignment_id: assignmentId };
    const asked = linesOf(world).filter(({ provider }) => provider !== undefined);
    expect(asked).toEqual([
      expect.objectContaining({
        ...ids,
        phase: "ask_model",
        model_ms: 7_000,
        provider: "anthropic",
        model: "a-model",
        model_outcome: "replied",
        model_failures: 0,
        model_refusals: 0,
        waits_for: null,
      }),
    ]);
    expect(linesOf(world)[0]).toMatchObject({ ...ids, model_ms: 0, desktop_ms: 300, waits_for: null });
  });

  it.each([
    ["unavailable", { waits_for: "provider", model_failures: 1 }],
    ["rejected", { waits_for: null, model_failures: 1 }],
    ["key_invalid", { waits_for: null, model_failures: 0 }],
  ] as const)("says of a call that is %s whose failure it is", async (reason, expected) => {
    const world = await byModel((_, nth) => (nth === 1 ? failedWith(reason) : replyWith([finish])));
    const [first] = linesOf(world).filter(({ provider }) => provider !== undefined);
    expect(first).toMatchObject({ ...expected, model_outcome: reason, model_refusals: 0 });
  });

  it("counts a refusal", async () => {
    const world = await byModel((_, nth) =>
      nth === 1 ? { kind: "refused", text: "no", usage } : replyWith([finish]),
    );
    expect(linesOf(world).map((line) => line.model_refusals)).toContain(1);
  });

  it("names the desktop that is away", async () => {
    let missed = 0;
    const world = await executionWorld({
      recording: scrolls(1),
      desk: smallDesk,
      between: async (request, driver) => {
        missed += 1;
        if (missed < 3) return { kind: "timeout" };
        return await driver.request(request);
      },
    });
    await world.execute();
    expect(linesOf(world).map((line) => line.waits_for)).toContain("desktop");
  });

  it("has nothing that was typed", async () => {
    const typed = "canary-4711";
    const world = await byModel((_, nth) => replyWith([nth === 1 ? { type: "type", text: typed } : finish]));
    expect(linesOf(world).length).toBeGreaterThan(1);
    expect(JSON.stringify(linesOf(world))).not.toContain(typed);
  });
});
