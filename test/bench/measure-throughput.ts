import { scroll, startSimulatedDriver } from "../support/stack/simulated-driver.ts";
import type { Figure } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const callers = sized(16, 2);
const durationMs = sized(20_000, 500);
const callsMax = 100_000;

/** Sixteen callers, each on a machine of its own, one scroll after the other for 20 s. */
export async function measureThroughput(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  const drivers = Array.from({ length: callers }, () =>
    startSimulatedDriver(stack.websocketUrl, stack.apiKey),
  );
  try {
    const machines = await Promise.all(drivers.map((driver) => driver.connected()));
    const answers = new Map<number, number>();
    const startedMs = performance.now();
    let calls = 0;
    await Promise.all(
      machines.map(async ({ machineId }) => {
        while (performance.now() - startedMs < durationMs && calls < callsMax) {
          calls += 1;
          const status = await scroll(stack.baseUrl, machineId, stack.apiKey);
          answers.set(status, (answers.get(status) ?? 0) + 1);
        }
      }),
    );
    const seconds = (performance.now() - startedMs) / 1_000;
    const failures = [...answers].filter(([status]) => status !== 200);
    return [
      {
        figure: `${callers} callers on ${callers} machines for 20 s, failures`,
        measured:
          failures.length === 0 ? "0" : failures.map(([status, count]) => `${count} × ${status}`).join(", "),
        target: "none",
        isReached: failures.length === 0,
      },
      { figure: "the same, calls per second", measured: (calls / seconds).toFixed(1), target: "" },
    ];
  } finally {
    await Promise.all(drivers.map((driver) => driver.stop()));
    await stack.stop();
  }
}
