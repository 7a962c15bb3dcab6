import type { DeskInput } from "../../../infra/demo-desk/desk-options.ts";
import type { TrajectoryElement } from "../../../shared/domain/trajectory/trajectory-element.ts";
import { demoRecording } from "./demo-recording.ts";
import { type ExecutionWorldOptions, executionWorld } from "./execution-world.ts";
import type { Recording } from "./record-demo.ts";
import { byRepairing } from "./repair-brain.ts";

export const repairPrompt =
  "Make an order for Daniel Weiß: {quantity} of {item}, with the PIN {$pin}. Put out the order's number.";

const demo = demoRecording();

export async function repairWorld(options: Partial<ExecutionWorldOptions> = {}) {
  return await executionWorld({
    recording: demo,
    workflow: { mainPrompt: repairPrompt },
    model: { decide: byRepairing, hasTrajectory: true },
    ...options,
  });
}

export function recordedElsewhere(...places: readonly number[]): Recording {
  const elements = demo.elements.map((each, at) => (places.includes(at) ? elsewhere(each) : each));
  return { ...demo, elements };
}

export function elsewhere(element: TrajectoryElement): TrajectoryElement {
  const { anchor } = element;
  return anchor === undefined
    ? element
    : { ...element, anchor: { ...anchor, y: anchor.y < 300 ? 500 : 100 } };
}

export const repairs: readonly (readonly [
  what: string,
  desk: DeskInput,
  recording: Recording,
  counts: readonly [replayed: number, repaired: number],
])[] = [
  ["a dialog that was not there", { dialog: "open", dimmed: true }, demo, [11, 1]],
  ["a list in another order", { rows: "reordered" }, demo, [10, 1]],
  ["a button that moved far", {}, recordedElsewhere(8), [10, 1]],
  ["a page more", {}, { ...demo, elements: demo.elements.slice(1) }, [10, 1]],
  ["a page less", { open: true }, demo, [10, 1]],
];
