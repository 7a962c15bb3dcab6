import { fileURLToPath } from "node:url";
import type { DemoDefinition } from "../../../infra/local/demo/demo-definition.ts";
import { dataOf } from "../../../shared/domain/recording/record-steps.ts";
import type { Recording } from "./record-demo.ts";

/** The demo's order, which many tests replay. `npm run fixtures` records it anew. */
export const orderFile = fileURLToPath(new URL("./order.json", import.meta.url));

export function demoFileOf(recording: Recording): string {
  const demo: DemoDefinition = {
    workflow: {
      name: "Demo: an order",
      main_prompt:
        "Open Orders with a double click on its icon. Make an order for Daniel Weiß: {quantity} of {item}, with the PIN " +
        "{$pin}. Save it, close Orders, and put out the order's number.",
    },
    trajectory: {
      name: "Recorded on the demo desk",
      original_input_values: { item: "Desk lamp", quantity: 3 },
      ...wholeOnTheWire(recording),
    },
  };
  return textOf(demo);
}

export function orderFileOf(recording: Recording): string {
  return textOf(wholeOnTheWire(recording));
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 1)}\n`;
}

function wholeOnTheWire({ elements, expect, dimensions, reset }: Recording) {
  const beside = reset === undefined ? {} : { reset: dataOf(reset) };
  return { dimensions, trajectory_data: dataOf(elements), expect, ...beside };
}
