import type { Json } from "../../json.ts";
import { fillIn, fillInOutput } from "../../placeholder/fill-in.ts";
import type { Run } from "../../run/run.ts";
import { textsOf } from "../../trajectory/names-in.ts";
import type { ReplayableTrajectory } from "../../trajectory/trajectory-element.ts";

/**
 * Returns a sentence about the first input or secret that was not given.
 *
 * @param builtIn are the service's own names.
 */
export function missingNames(
  { elements, checks, reset = [] }: Pick<ReplayableTrajectory, "elements" | "checks" | "reset">,
  run: Pick<Run, "inputValues" | "sensitiveAliases" | "inheritedSecrets">,
  builtIn: readonly string[],
): string | undefined {
  const aliases = new Set(aliasesOf(run));
  const saved = new Map<string, Json>(builtIn.map((name) => [name, ""]));
  for (const [at, { action }] of reset.entries()) {
    for (const text of textsOf(action)) {
      const filled = fillIn(text, { inputs: run.inputValues, saved, aliases });
      if (filled.kind === "missing")
        return `element ${at + 1} of the reset names {${filled.name}}, which nobody gave`;
    }
  }
  for (const [at, { action }] of elements.entries()) {
    const sources = { inputs: run.inputValues, saved, aliases };
    for (const text of textsOf(action)) {
      const filled = fillIn(text, sources);
      if (filled.kind === "missing") return `element ${at + 1} names {${filled.name}}, which nobody gave`;
    }
    if (action.type === "finish") {
      const output = fillInOutput(action.output ?? null, sources);
      if (output.kind === "missing") return `the output names {${output.name}}, which nobody gave`;
    }
    // The value may be anything.
    if ("save_as" in action && typeof action.save_as === "string") saved.set(action.save_as, "");
  }
  for (const check of checks) {
    if (check.kind !== "file") continue;
    const filled = fillIn(check.path, { inputs: run.inputValues, saved, aliases: new Set() });
    if (filled.kind === "missing") return `a check names {${filled.name}}, which nobody gave`;
  }
  return undefined;
}

export function aliasesOf(run: Pick<Run, "sensitiveAliases" | "inheritedSecrets">): readonly string[] {
  return [...new Set([...run.sensitiveAliases, ...Object.keys(run.inheritedSecrets)])];
}
