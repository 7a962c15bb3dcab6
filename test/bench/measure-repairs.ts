import { luckOf, movedMax } from "../../infra/demo-desk/desk-options.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { recordingByModel } from "../support/execution/recorded-by-model.ts";
import { repairs, repairWorld } from "../support/execution/repair-world.ts";
import { staysAlive } from "./bench-alive.ts";
import type { Figure } from "./figure.ts";
import { sized } from "./sized.ts";

const seeds = sized(20, 1);
const obstacles = sized(repairs, repairs.slice(0, 1));

/**
 * Measures the demo's replay with an obstacle, repaired by a model that sees it, and the next run by the repaired
 * recording, without a model. Each seed puts the window elsewhere and lets the application open late; in the next run
 * the window lies up to 40 pixels from where it was repaired.
 */
export async function measureRepairs(): Promise<readonly Figure[]> {
  return await staysAlive(async () => {
    const figures: Figure[] = [];
    for (const [what, desk, recording] of obstacles) {
      let [repaired, again] = [0, 0];
      for (let seed = 1; seed <= seeds; seed += 1) {
        const world = await repairWorld({ desk: { ...desk, seed }, recording });
        await world.executeAll();
        const failed = (await world.steps()).filter(({ status }) => status === "failed").length;
        const isRepaired = (await world.find())?.status === "success" && failed === 1;
        if (isRepaired) repaired += 1;
        const next = { ...desk, seed: seedNear(seed) };
        const after = isRepaired
          ? await executionWorld({ recording: await recordingByModel(world), desk: next })
          : undefined;
        await after?.executeAll();
        const run = await after?.find();
        if (run?.status === "success") again += 1;
        else console.error(`${what}, seed ${seed}: ${isRepaired ? run?.error : (await world.find())?.error}`);
      }
      figures.push({
        figure: `${what}, ${seeds} seeds: done with one repair; runs after them that need none`,
        measured: `${repaired}; ${again}`,
        target: `${seeds}; ${seeds}`,
        isReached: repaired === seeds && again === seeds,
      });
    }
    return figures;
  });
}

function seedNear(seed: number): number {
  const here = luckOf(seed).moved;
  for (let other = seeds + 1; ; other += 1) {
    const there = luckOf(other).moved;
    if (Math.max(Math.abs(there.x - here.x), Math.abs(there.y - here.y)) <= movedMax) return other;
  }
}
