import type { Json } from "../json.ts";
import { type FillSources, fillIn, fillInOutput, nobodyGave } from "../placeholder/fill-in.ts";
import type { Run } from "../run/run.ts";
import { textsOf } from "../trajectory/recorded-inputs.ts";
import type { ReplayableTrajectory } from "../trajectory/trajectory-element.ts";

type NamedInputs = Pick<Run, "inputValues" | "sensitiveAliases" | "inheritedSecrets">;

export interface PlannedSources extends FillSources {
  readonly saved: Map<string, Json>;
}

/** @param builtIn are the service's own names. */
export function fillSources(run: NamedInputs, builtIn: readonly string[]): PlannedSources {
  const saved = new Map<string, Json>(builtIn.map((name) => [name, ""]));
  return { inputs: run.inputValues, saved, aliases: new Set(aliasesOf(run)) };
}

/** Returns a sentence about the first missing input or secret. */
export function missingNames(
  { elements, checks, reset = [] }: Pick<ReplayableTrajectory, "elements" | "checks" | "reset">,
  run: NamedInputs,
  builtIn: readonly string[],
): string | undefined {
  const sources = fillSources(run, builtIn);
  for (const [where, actions] of [
    [" of the reset", reset],
    ["", elements],
  ] as const) {
    for (const [at, { action }] of actions.entries()) {
      const name = missingIn(textsOf(action), sources);
      if (name !== undefined) return nobodyGave(`element ${at + 1}${where}`, name);
      if (action.type === "finish") {
        const output = fillInOutput(action.output ?? null, sources);
        if (output.kind === "missing") return nobodyGave("the output", output.name);
      }
      if ("save_as" in action && typeof action.save_as === "string") sources.saved.set(action.save_as, "");
    }
  }
  const paths = checks.flatMap((check) => (check.kind === "file" ? [check.path] : []));
  const name = missingIn(paths, { ...sources, aliases: new Set() });
  return name && nobodyGave("a check", name);
}

function missingIn(texts: readonly string[], sources: FillSources): string | undefined {
  const missing = texts.map((text) => fillIn(text, sources)).find(({ kind }) => kind === "missing");
  return missing?.kind === "missing" ? missing.name : undefined;
}

export function aliasesOf(run: Pick<Run, "sensitiveAliases" | "inheritedSecrets">): readonly string[] {
  return [...new Set([...run.sensitiveAliases, ...Object.keys(run.inheritedSecrets)])];
}
