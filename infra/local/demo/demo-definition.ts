import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface DemoDefinition {
  readonly workflow: { readonly name: string; readonly main_prompt: string };
  readonly trajectory: Readonly<Record<string, unknown>>;
}

/** `npm run fixtures` records the demo again. */
export const demoFile = fileURLToPath(new URL("./demo.json", import.meta.url));

export function readDemo(): DemoDefinition {
  return JSON.parse(readFileSync(demoFile, "utf8")) as DemoDefinition;
}

export const demoInputs = {
  input_values: { item: "Desk lamp", quantity: 3 },
  sensitive_input_values: { pin: "2468" },
};
