import { demoInputs } from "../../infra/local/demo/demo-definition.ts";
import { seedDemo } from "../../infra/local/demo/seed-demo.ts";
import { spawnStack } from "../support/stack/spawn-stack.ts";
import type { Amounts } from "./amounts.ts";
import type { Figure } from "./figure.ts";
import { runToEnd } from "./run-to-end.ts";

/** Measures repeated runs of the demo on one desktop of the local stack, each on the screen that the last one left. */
export async function measureDemo({ times }: Amounts): Promise<readonly Figure[]> {
  const stack = await spawnStack({ desktop: "simulated", timers: false });
  try {
    const workflow_id = await seedDemo(stack);
    let good = 0;
    for (let time = 0; time < times; time += 1) {
      try {
        await runToEnd(stack, { workflow_id, ...demoInputs });
        good += 1;
      } catch (error) {
        console.error(`time ${time + 1}: ${error instanceof Error ? error.message : error}`);
      }
    }
    return [
      {
        figure: `the demo, ${times} times in a row on one desktop, that end well`,
        measured: `${good}`,
        target: `${times}`,
        isReached: good === times,
      },
    ];
  } finally {
    await stack.stop();
  }
}
