import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { spawnStack } from "../../support/stack/spawn-stack.ts";
import { missingDisplayPrograms } from "../../support/x-display/x-display.ts";

/** Parent of every process. Source: proc_pid_stat(5), whose second field may hold blanks and brackets. */
function parents(): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state !== "Z") found.set(Number(name), Number(parent));
    } catch {
      // The process has ended since the folder was read.
    }
  }
  return found;
}

function descendants(pid: number): readonly number[] {
  const all = parents();
  const below = (parent: number): number[] =>
    [...all].filter(([, itsParent]) => itsParent === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

describe.skipIf(process.platform !== "linux")("the whole stack, with its database and its desktop", () => {
  const desktop = missingDisplayPrograms.length > 0 ? "simulated" : "x11";

  it.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)("leaves no process behind after %s", async (signal) => {
    const stack = await spawnStack({ desktop, timers: false });
    const started = descendants(stack.pid);
    expect(started.length).toBeGreaterThan(3);
    process.kill(stack.pid, signal);
    await vi.waitFor(
      () => {
        const alive = parents();
        expect([stack.pid, ...started].filter((pid) => alive.has(pid))).toEqual([]);
      },
      { timeout: 10_000, interval: 50 },
    );
  });
});
