import { describe, expect, it, vi } from "vitest";
import { descendants, parents } from "../../support/stack/process-tree.ts";
import { spawnStack } from "../../support/stack/spawn-stack.ts";
import { missingDisplayPrograms } from "../../support/x-display/x-display.ts";

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
