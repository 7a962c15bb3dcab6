import { describe, expect, it, vi } from "vitest";
import {
  type FollowedRun,
  type FollowedStep,
  type FollowRunDeps,
  followRun,
} from "../../../../infra/cli/follow/follow-run.ts";
import { aRunBody, aStepBody } from "../../../support/cli/run-bodies.ts";

interface Script {
  /** The states that the run goes through, each until the next `go`. */
  readonly runs: readonly Partial<FollowedRun>[];
  readonly isLive?: boolean | (() => boolean);
}

/** A service whose run changes when the test says so, with or without hints. */
function service({ runs, isLive = true }: Script) {
  let at = 0;
  const steps: FollowedStep[] = [];
  /** How long each read was to wait while the run had not ended. */
  const waits: (number | undefined)[] = [];
  let hint = (_hint: undefined) => {};
  const waiting = new Set<() => void>();
  const runNow = () => aRunBody({ revision: at + 1, ...runs[at] });
  const isEnded = () => !["scheduling", "running"].includes(runNow().status);
  const waitFor = async (isThere: () => boolean, seconds: number) => {
    while (seconds > 0 && !isThere()) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  const answers = {
    getRun: async (query: Record<string, number>) => {
      await waitFor(() => isEnded() || runNow().revision > (query.revision ?? 0), query.wait_seconds ?? 0);
      return runNow();
    },
    listRunSteps: async (query: Record<string, number>) => {
      const later = () => steps.filter(({ index }) => index > (query.after_index ?? 0));
      await waitFor(() => later().length > 0 || isEnded(), query.wait_seconds ?? 0);
      return { items: later(), run: isEnded() && later().length === 0 ? runNow() : null };
    },
  };
  const call = vi.fn(async (id: keyof typeof answers, input: { query: Record<string, number> }) => {
    if (!isEnded()) waits.push(input.query.wait_seconds);
    return await answers[id](input.query);
  });
  const deps = (signal = new AbortController().signal): FollowRunDeps => ({
    client: { call } as never,
    signal,
    live: {
      isLive: () => (typeof isLive === "function" ? isLive() : isLive),
      stop: () => {},
      watch: (_topics, listener) => {
        hint = listener;
        return () => {};
      },
    },
  });
  const tell = () => {
    hint(undefined);
    const told = [...waiting];
    waiting.clear();
    for (const go of told) go();
  };
  return {
    deps,
    waits,
    go: () => {
      at = Math.min(at + 1, runs.length - 1);
      tell();
    },
    addStep: (step: Partial<FollowedStep> = {}) => {
      steps.push(aStepBody({ index: steps.length + 1, ...step }));
      tell();
    },
  };
}

function recorder() {
  const seen: string[] = [];
  return {
    seen,
    onRun: (run: FollowedRun) => {
      const line = `${run.status} ${run.revision}`;
      if (seen.at(-1) !== line) seen.push(line);
    },
    onStep: ({ index }: FollowedStep) => void seen.push(`step ${index}`),
  };
}

const states = [{ status: "scheduling" }, { status: "running" }, { status: "success" }] as const;

describe.each([
  ["by hints of the live channel", true],
  ["by reads that wait, without the live channel", false],
])("following a run %s", (_how, isLive) => {
  it("hands on each change and each step once, and returns the run after its last step", async () => {
    const { deps, go, addStep, waits } = service({ runs: states, isLive });
    const { seen, ...follower } = recorder();
    const following = followRun(deps(), "run-1", follower);
    await vi.waitFor(() => expect(seen).toEqual(["scheduling 1"]));
    go();
    await vi.waitFor(() => expect(seen.at(-1)).toBe("running 2"));
    addStep();
    await vi.waitFor(() => expect(seen).toContain("step 1"));
    addStep();
    go();
    expect(await following).toMatchObject({ status: "success", revision: 3 });
    expect(seen.filter((line) => line.startsWith("step"))).toEqual(["step 1", "step 2"]);
    expect(seen).toContain("success 3");
    expect(waits.every((seconds) => seconds === 0)).toBe(isLive);
  });

  it("ends without a run when the signal is aborted", async () => {
    const { deps } = service({ runs: states, isLive });
    const ending = new AbortController();
    const { seen, ...follower } = recorder();
    const wait = deps(ending.signal);
    const { call } = wait.client as unknown as { call: (id: string, input: unknown) => Promise<unknown> };
    const hanging = {
      ...wait,
      client: {
        call: async (id: string, input: { signal: AbortSignal }) => {
          const aborted = new Promise((_resolve, reject) => {
            input.signal.addEventListener("abort", () => reject(new Error("aborted")));
          });
          return await Promise.race([call(id, input), aborted]);
        },
      } as never,
    };
    const following = followRun(hanging, "run-1", follower);
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    ending.abort();
    expect(await following).toBeUndefined();
  });
});

describe("following a run", () => {
  it("reads progress with new steps while a read of the run still waits that began before the channel was open", async () => {
    let isOpen = false;
    const { deps, go, addStep, waits } = service({
      runs: [{ status: "running" }, { status: "success" }],
      isLive: () => isOpen,
    });
    let reads = 0;
    const following = followRun(deps(), "run-1", {
      onRun: () => {
        reads += 1;
      },
      onStep: () => {},
    });
    await vi.waitFor(() => expect(waits).toHaveLength(3));
    isOpen = true;
    addStep();
    await vi.waitFor(() => expect(reads).toBeGreaterThan(1));
    go();
    expect(await following).toMatchObject({ status: "success" });
  });

  it("shows all of one that has ended", async () => {
    const { deps, addStep } = service({ runs: [{ status: "task_failed" }] });
    addStep({ status: "failed" });
    const { seen, ...follower } = recorder();
    expect(await followRun(deps(), "run-1", follower)).toMatchObject({ status: "task_failed" });
    expect(seen).toEqual(["task_failed 1", "step 1"]);
  });

  it("fails with what a read fails with, and leaves no other read behind", async () => {
    const { deps } = service({ runs: states });
    const failure = new Error("refused");
    let count = 0;
    const failing = {
      ...deps(),
      client: {
        call: async (id: string) => {
          count += 1;
          if (id === "listRunSteps") throw failure;
          return aRunBody({ status: "scheduling" });
        },
      } as never,
    };
    const { seen: _, ...follower } = recorder();
    await expect(followRun(failing, "run-1", follower)).rejects.toBe(failure);
    const after = count;
    await new Promise((resolve) => setImmediate(resolve));
    expect(count).toBe(after);
  });
});
