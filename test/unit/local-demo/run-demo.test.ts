import { expect, it, onTestFinished, vi } from "vitest";
import { requireStack } from "../../../infra/local/demo/require-stack.ts";
import { type DemoDeps, runDemo } from "../../../infra/local/demo/run-demo.ts";

const step = (index: number, status: string) => ({
  index,
  action: { type: "click", target: `place ${index}` },
  status,
  match: null,
  error: status === "done" ? null : "the screen is another one",
  duration_ms: 5,
  screenshot: { width: 1, height: 1 },
  expected: null,
});

/** Each page of steps is there only once the one before it was said. */
function demoOf(pages: readonly (readonly object[])[], run: Readonly<Record<string, unknown>>) {
  const said: string[] = [];
  const kept: string[] = [];
  const saidBefore: number[] = [];
  const call = async (id: string) => {
    if (id === "createRun") return { id: "r1" };
    if (id === "getRunStepScreenshot") return new Uint8Array([1]);
    return { items: pages.flat(), summary: "all of them", ...run };
  };
  const waitUntilEnded = async (_id: string, { onStep }: { onStep: (step: object) => Promise<void> }) => {
    for (const page of pages) {
      saidBefore.push(said.length);
      for (const each of page) await onStep(each);
    }
    return run;
  };
  const deps = {
    client: { call, runs: { waitUntilEnded } } as unknown as DemoDeps["client"],
    machineId: "m1",
    workflowId: "w1",
    say: (line: string) => said.push(line),
    keep: (runId: string, name: string) => kept.push(`${runId}/${name}`),
  };
  return { deps, said, kept, saidBefore };
}

it("says each step as it comes, and keeps its picture", async () => {
  const run = { status: "success", error_code: null, error: [], output_data: { order: 1042 } };
  const { deps, said, kept, saidBefore } = demoOf([[step(1, "done")], [step(2, "done")]], run);
  expect(await runDemo(deps)).toEqual({ id: "r1", isSuccess: true });
  expect(saidBefore).toEqual([1, 2]);
  expect(said.slice(1)).toEqual([
    "  1  click place 1: done in 5 ms",
    "  2  click place 2: done in 5 ms",
    '\nsuccess, all of them: {"order":1042}',
  ]);
  expect(kept).toEqual(["r1/step-01.png", "r1/step-02.png"]);
});

it("says why a run does not begin", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const run = { status: "success", error_code: null, error: [], output_data: {}, waiting_reason: "all_busy" };
  const { deps, said } = demoOf([], run);
  const begun = Promise.withResolvers<void>();
  const { call } = deps.client;
  const waitUntilEnded = async () => {
    await begun.promise;
    return run;
  };
  const client = { call, runs: { waitUntilEnded } } as unknown as DemoDeps["client"];
  const ended = runDemo({ ...deps, client });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(said.at(-1)).toMatch(/^it waits \(all busy\): /);
  begun.resolve();
  await ended;
});

it("says what to do after a run that was no success", async () => {
  const run = {
    status: "error",
    error_code: "replay_diverged",
    error: ["another screen"],
    output_data: null,
  };
  const { deps, said } = demoOf([[step(1, "failed")]], run);
  expect(await runDemo(deps)).toMatchObject({ isSuccess: false });
  expect(said.slice(-2)).toEqual([
    "\nerror, all of them: replay_diverged: another screen",
    expect.stringMatching(/^what to do: /),
  ]);
});

it("says what to do when the stack was killed, or another one has its port", async () => {
  const api = { baseUrl: "http://127.0.0.1:8080", apiKey: "k" };
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("fetch failed");
  });
  await expect(requireStack(api, "m1")).rejects.toThrow(/^nothing answers at .*"npm start"$/);
  vi.stubGlobal("fetch", async () => Response.json({}, { status: 401 }));
  await expect(requireStack(api, "m1")).rejects.toThrow(/is not the one that .*"npm start -- --port 8081"$/);
  vi.stubGlobal("fetch", async () => Response.json({}));
  await expect(requireStack(api, "m1")).resolves.toBeUndefined();
});
