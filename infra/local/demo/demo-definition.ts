import demo from "./demo.json" with { type: "json" };

export interface DemoDefinition {
  readonly workflow: { readonly name: string; readonly main_prompt: string };
  readonly trajectory: Readonly<Record<string, unknown>>;
}

/** `npm run fixtures` records the demo again. */
export function readDemo(): DemoDefinition {
  return demo;
}

export const demoInputs = {
  input_values: { item: "Desk lamp", quantity: 3 },
  sensitive_input_values: { pin: "2468" },
};
