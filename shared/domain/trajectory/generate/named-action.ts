import type { RunStep } from "../../execution/execution.ts";
import type { JsonObject } from "../../json.ts";
import { reversed } from "../../picture/picture.ts";
import { type Action, isFilledIn, isPointing, movedAction } from "../action.ts";
import { nameInputs } from "./name-inputs.ts";
import { workerAction } from "./worker-action.ts";

export interface NamedAction {
  readonly action: Action;
  /** Whether its target names an input: it acts on something else with other inputs. */
  readonly isOfInput: boolean;
}

/** In terms of inputs; undefined for what is no step of the work. */
export function namedAction(
  { action: shown, trail }: Pick<RunStep, "action" | "trail">,
  inputs: JsonObject,
): NamedAction | undefined {
  if (shown.type === "screenshot" || shown.type === "list_files") return undefined;
  const named = Object.fromEntries(
    Object.entries(workerAction(shown, inputs)).map(([name, value]) => [
      name,
      typeof value === "string" && (isFilledIn(shown, name) || (name === "target" && shown.type !== "key"))
        ? nameInputs(value, inputs)
        : value,
    ]),
  );
  // Steps are recorded in the vocabulary of actions.
  const action = named as unknown as Action;
  const placed = isPointing(action) ? movedAction(action, reversed(trail.movedBy)) : action;
  return { action: placed, isOfInput: named.target !== shown.target };
}
