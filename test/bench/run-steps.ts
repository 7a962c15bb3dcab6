import type { Action } from "../../shared/domain/action/action.ts";
import type { TrajectoryElement } from "../../shared/domain/trajectory/trajectory-element.ts";
import { systemClock } from "../../shared/runtime/system.ts";
import { desktopOf } from "../support/execution/demo-recording.ts";
import { DeskProcess } from "../support/execution/driver-process.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { KillSwitch } from "../support/execution/kill-switch.ts";
import { scroll } from "../support/execution/plain-recording.ts";
import { record } from "../support/execution/record-demo.ts";
import { staysAlive } from "./bench-alive.ts";

/** The memory that a process used for a long run, in bytes. */
export interface UsedMemory {
  readonly rssBefore: number;
  /** The maximum at any time. */
  readonly rss: number;
  /** The maximum after a step, including buffers. */
  readonly heap: number;
}

/** Only every tenth step is found on the screen, so that all of them fit a row. */
const foundEvery = 10;
const scrolled: TrajectoryElement = { action: scroll, by: "replay", timeoutMs: 1_000 };

/**
 * A program: argument 1 is the number of steps of a run on the demo desk, some of which are found on its screen. Writes
 * `UsedMemory`.
 */
process.stdout.write(JSON.stringify(await staysAlive(async () => await carryOut(Number(process.argv[2])))));
process.exit(0);

async function carryOut(steps: number): Promise<UsedMemory> {
  const driver = new DeskProcess({ desk: {}, root: "/nowhere", clock: systemClock });
  const action: Action = { type: "move", x: 68, y: 66, target: "the icon Orders" };
  const { elements, ...recorded } = await record(desktopOf(driver), [{ action }], []);
  const [element] = elements;
  if (element === undefined) throw new Error("nothing was recorded");
  const rssBefore = process.memoryUsage.rss();
  let heap = 0;
  const kills = new KillSwitch(undefined, async ({ name, when }) => {
    if (when === "before" || !name.startsWith("checkpoint step")) return;
    // The stream's records and the switch's points belong to the test, not to the function.
    kills.points.length = 0;
    world.model.takeRecords();
    const { heapUsed, external } = process.memoryUsage();
    heap = Math.max(heap, heapUsed + external);
  });
  const world = await executionWorld({
    recording: {
      ...recorded,
      elements: Array.from({ length: steps }, (_, at) => (at % foundEvery === 0 ? element : scrolled)),
    },
    kills,
    secrets: {},
    workflow: { maxSteps: steps + 1 },
  });
  const executed = await world.executeAll();
  if (executed.kind !== "ended" || executed.status !== "success") throw new Error(JSON.stringify(executed));
  return { rssBefore, heap, rss: process.resourceUsage().maxRSS * 1_024 };
}
