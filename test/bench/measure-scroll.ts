import { FakeService } from "../support/fake-service/fake-service.ts";
import { scroll, startSimulatedDriver } from "../support/stack/simulated-driver.ts";
import { type Figure, milliseconds, percentile } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const warmUp = sized(40, 1);
const calls = sized(400, 5);

/**
 * A scroll of one caller through the whole local stack, and the same call made straight to a driver over a socket;
 * in turns. Both displays are simulated: `measure-desktop.ts` has what a real one adds.
 */
export async function measureScroll(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  const service = new FakeService();
  const drivers = [
    startSimulatedDriver(stack.websocketUrl, stack.apiKey),
    startSimulatedDriver(await service.listen(), "none"),
  ];
  try {
    const [connected] = await Promise.all(drivers.map((driver) => driver.connected()));
    const times = { stack: [] as number[], straight: [] as number[] };
    for (let call = 0; call < warmUp + calls; call += 1) {
      const whole = await timeOf(() => scroll(stack.baseUrl, connected?.machineId ?? "", stack.apiKey));
      const straight = await timeOf(async () => {
        const body = { direction: "down", amount: 1 };
        return (await service.latest.ask({ path: "/computer/input/mouse/scroll", body })).status;
      });
      if (call < warmUp) continue;
      times.stack.push(whole);
      times.straight.push(straight);
    }
    return [compared("p50", 50, times, 18), compared("p99", 99, times, 36)];
  } finally {
    await Promise.all(drivers.map((driver) => driver.stop()));
    await service.close();
    await stack.stop();
  }
}

async function timeOf(call: () => Promise<number>): Promise<number> {
  const startedMs = performance.now();
  const status = await call();
  if (status !== 200) throw new Error(`a scroll was answered ${status}`);
  return performance.now() - startedMs;
}

function compared(
  name: string,
  percent: number,
  times: { readonly stack: readonly number[]; readonly straight: readonly number[] },
  moreMsMax: number,
): Figure {
  const whole = percentile(times.stack, percent);
  const direct = percentile(times.straight, percent);
  return {
    figure: `scroll through the stack − straight to the driver, ${name} of ${calls} in turns`,
    measured: `${milliseconds(whole)} − ${milliseconds(direct)} = ${milliseconds(whole - direct)}`,
    target: `at most ${moreMsMax} ms more`,
    isReached: whole - direct <= moreMsMax,
  };
}
