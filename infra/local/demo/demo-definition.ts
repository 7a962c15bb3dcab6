import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Bodies of requests: a workflow of the demo desk, and the trajectory that was recorded there. */
export interface DemoDefinition {
  readonly workflow: { readonly name: string; readonly main_prompt: string };
  readonly trajectory: Readonly<Record<string, unknown>>;
}

/** The recorded demo; `npm run fixtures` records it again. */
export const demoFile = fileURLToPath(new URL("./demo.json", import.meta.url));

export function readDemo(): DemoDefinition {
  return JSON.parse(readFileSync(demoFile, "utf8")) as DemoDefinition;
}

/** The inputs of the demo's run. */
export const demoInputs = {
  input_values: { item: "Desk lamp", quantity: 3 },
  sensitive_input_values: { pin: "2468" },
};
