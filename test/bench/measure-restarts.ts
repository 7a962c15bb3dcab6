import { runsThroughKill } from "../support/stack/killed-stack.ts";
import type { Figure } from "./figure.ts";
import { sized } from "./sized.ts";

const runCount = sized(10, 1);
const secondsMax = 60;

/** A stack that is killed in the middle of runs and started again on its data. */
export async function measureRestarts(): Promise<readonly Figure[]> {
  const { runs, actions, seconds } = await runsThroughKill(runCount);
  const right = runs.filter(({ status, done }) => status === "success" && done === actions).length;
  return [
    {
      figure: `stack killed in the middle of ${runCount} runs and started again: ended right, each action once`,
      measured: `${right}`,
      target: `${runCount}`,
      isReached: right === runCount,
    },
    {
      figure: "the same, from the second start to the last end",
      measured: `${seconds.toFixed(0)} s`,
      target: `at most ${secondsMax} s`,
      isReached: seconds <= secondsMax,
    },
  ];
}
