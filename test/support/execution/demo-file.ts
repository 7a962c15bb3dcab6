import type { DemoDefinition } from "../../../infra/local/demo/demo-definition.ts";
import type { TrajectoryElement } from "../../../shared/domain/trajectory/trajectory-element.ts";
import { recordDemo } from "./demo-recording.ts";

/** The demo's definition, recorded on a demo desk as it is without options. */
export async function recordDemoFile(): Promise<string> {
  const { elements, expect, dimensions } = await recordDemo();
  const demo: DemoDefinition = {
    workflow: {
      name: "Demo: an order",
      main_prompt:
        "Open Orders with a double click on its icon. Make an order for Daniel Weiß: {quantity} of {item}, with the PIN " +
        "{$pin}. Save it, and put out the order's number.",
    },
    trajectory: {
      name: "Recorded on the demo desk",
      dimensions,
      original_input_values: { item: "Desk lamp", quantity: 3 },
      trajectory_data: elements.map(onTheWire),
      expect,
    },
  };
  return `${JSON.stringify(demo, undefined, 1)}\n`;
}

/** As trajectory_data has it. */
export function onTheWire({ timeoutMs, ...element }: TrajectoryElement) {
  return { ...element, timeout_ms: timeoutMs };
}
