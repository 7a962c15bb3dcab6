import { namesIn } from "../names-in.ts";
import type { WarnedTrajectory } from "./approval-subject.ts";

export function unknownNames({ elements, reset, subject, workflow }: WarnedTrajectory): readonly string[] {
  const properties = workflow.inputSchema?.properties;
  const inputs = [subject.originalInputValues, properties].flatMap((named) =>
    named !== null && typeof named === "object" ? Object.keys(named) : [],
  );
  const known = new Set(inputs);
  const isUnknown = (name: string) => !known.has(name) && !known.has(name.split(".")[0] ?? name);
  const warnings = reset.flatMap(({ at, element: { action } }) =>
    namesIn(action)
      .filter(isUnknown)
      .map(
        (name) =>
          `element ${at + 1} of reset names {${name}}, which is neither in original_input_values, nor in the workflow's input_schema`,
      ),
  );
  for (const { at, element } of elements) {
    const { action } = element;
    for (const name of namesIn(action)) {
      if (!isUnknown(name)) continue;
      warnings.push(
        `element ${at + 1} names {${name}}, which is neither in original_input_values, nor in the workflow's input_schema, nor saved by an element before it`,
      );
    }
    if ("save_as" in action && typeof action.save_as === "string") known.add(action.save_as);
  }
  return warnings;
}
