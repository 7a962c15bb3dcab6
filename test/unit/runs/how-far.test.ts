import { describe, expect, it } from "vitest";
import { RunStepList } from "../../../shared/contract/run/run-step.ts";
import { noTrail } from "../../../shared/domain/execution/step/trail.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { RunStep } from "../../../shared/domain/run-step/run-step.ts";
import { stepItem } from "../../../shared/storage/execution/execution-item.ts";
import { aStep } from "../../support/builders/steps.ts";
import { setUpRuns } from "./run-service.ts";

type Given = Partial<RunStep>;

async function saidOf(fields: Partial<Run>, given: readonly Given[], query = "") {
  const { putRun, stores, ask } = await setUpRuns();
  const run = await putRun({ executor: "service", status: "error", ...fields });
  for (const [at, step] of given.entries()) {
    await stores.table.put(stepItem(aStep(run, { index: at + 1, ...step })));
  }
  const response = await ask("GET", `/v1/runs/${run.id}/steps${query}`);
  const { summary, is_safe_to_retry } = RunStepList.parse(await response.json());
  return { summary, is_safe_to_retry };
}

const element = (step: number, of = 8) => ({ inAttempt: { step, of, ofElements: true } }) as const;
const notFound = { score: 1, secondBest: 0, movedBy: { dx: 0, dy: 0 }, waitedMs: 5, reason: "other_screen" };
const diverged = { status: "failed", match: notFound } as const;
const look = { source: "service", action: { type: "screenshot" }, match: null } as const;

describe("how far a run got", () => {
  it.each<[string, readonly Given[], string]>([
    ["nothing done yet", [], "no step"],
    ["0 of 8 done", [{ ...element(1), ...diverged }, look], "the first screen missed"],
    ["3 of 8 done", [element(2), element(3), { ...element(4), ...diverged }], "the fourth"],
    ["3 of 8 done", [element(3), { ...element(4), source: "model" }], "a repair under way"],
    ["2 of 8 done", [{ ...element(3), trail: { ...noTrail, next: { kind: "piece" } } }], "a text half typed"],
    [
      "8 of 8 done, 2 values saved, 1 file exported",
      [
        ...["a", "a", "b"].map((name) => ({ ...element(7), action: { type: "read_file", save_as: name } })),
        element(8),
        { ...look, action: { type: "list_files" } },
        { ...look, action: { type: "read_file" } },
      ],
      "a whole one",
    ],
    ["2 steps done", [{ source: "model" }, { source: "model" }, { ...diverged }], "a model"],
  ])("is said as %s", async (summary, steps) => {
    expect(await saidOf({}, steps)).toMatchObject({ summary });
  });

  it("is of the current attempt, whichever page is asked for", async () => {
    const steps = [
      element(8),
      { attempt: 2, ...element(1) },
      { attempt: 2, ...element(2), status: "failed" },
    ];
    for (const query of ["", "?limit=1", "?skip=1&limit=1", "?skip=9"]) {
      const said = await saidOf({ attempt: 2 }, steps as readonly Given[], query);
      expect(said).toEqual({ summary: "1 of 8 done", is_safe_to_retry: false });
    }
  });

  it("is not said of one that has not begun, nor of one whose steps have expired", async () => {
    const nothing = { summary: null, is_safe_to_retry: null };
    expect(await saidOf({ status: "scheduling" }, [])).toMatchObject({ summary: "it has not begun" });
    expect(await saidOf({ usageMetadata: { replayed_steps: 3 } }, [])).toEqual(nothing);
    expect(await saidOf({}, [{ index: 2, ...element(2) }])).toEqual(nothing);
  });
});

describe("is_safe_to_retry", () => {
  const says = async (run: Partial<Run>, ...steps: Given[]) => (await saidOf(run, steps)).is_safe_to_retry;

  it("is null while the run has not ended, and of a worker's", async () => {
    expect(await says({ status: "scheduling" })).toBeNull();
    expect(await says({ status: "running" })).toBeNull();
    expect(await says({ executor: "worker" })).toBeNull();
    expect(await says({ executor: "worker" }, { source: "worker", inAttempt: null })).toBeNull();
  });

  it.each<[string, Given]>([
    ["the screen was not found", diverged],
    ["it was looked and waited", { action: { type: "wait", seconds: 5 } }],
    ["the screen was read", { source: "model", action: { type: "read", save_as: "a" } }],
    ["the model gave up", { source: "model", action: { type: "fail" } }],
    ["the desktop was led back to the start", { source: "reset" }],
    ["input files were put", { ...look, action: { type: "write_file" } }],
    ["an input was empty", { status: "skipped" }],
  ])("is true where %s, and nothing else was done", async (_, step) => {
    expect(await says({}, step, look)).toBe(true);
  });

  it.each<[string, Given]>([
    ["was done", {}],
    ["is on its way", { status: "sending" }],
    ["was done or not, nobody knows", { status: "unknown" }],
    ["was refused by the desktop", { status: "failed", error: "refused" }],
    ["was a model's", { source: "model", match: null, action: { type: "key", text: "Return" } }],
    ["ran a command", { action: { type: "shell", command: "date" } }],
    ["is of a kind that this release does not know", { action: { type: "dance" } }],
    ["exported a file", { ...look, action: { type: "read_file" } }],
  ])("is false after one that %s", async (_, step) => {
    expect(await says({}, look, step, look)).toBe(false);
    expect(await says({ status: "cancelled" }, step, diverged)).toBe(false);
  });
});
