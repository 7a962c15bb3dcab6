import { placeholdersIn } from "../../vocabulary/placeholders.ts";
import { type Action, isFilledIn } from "../action/action.ts";
import type { Json, JsonObject } from "../json.ts";
import type { TrajectoryElement } from "./trajectory-element.ts";

/** The name of a nested value has dots: `customer.name`. */
interface InputLeaf {
  readonly name: string;
  readonly path: readonly string[];
  readonly value: Json;
}

export interface RecordedInputs {
  readonly original: JsonObject | null;
  readonly elements: readonly TrajectoryElement[];
}

/** An unnamed input may still have decided a click; one that an output or a recorded click names does not count. */
export function unnamedInputs({ original, elements }: RecordedInputs): readonly string[] {
  return unnamedLeaves({ original, elements }).map(({ name }) => name);
}

export function changedUnnamedInputs(recorded: RecordedInputs, inputs: JsonObject): readonly string[] {
  return unnamedLeaves(recorded)
    .filter((leaf) => isOther(leaf, inputs))
    .map(({ name }) => name);
}

export function hasOtherNamedInputs({ original, elements }: RecordedInputs, inputs: JsonObject): boolean {
  return elements.flatMap(namesOf).some((name) => {
    const path = name.split(".");
    return JSON.stringify(valueAt(inputs, path)) !== JSON.stringify(valueAt(original ?? {}, path));
  });
}

export function hasOtherInputs(recorded: RecordedInputs, inputs: JsonObject): boolean {
  const leaves = leavesOf(recorded.original ?? {});
  return leaves.some((leaf) => isOther(leaf, inputs)) || hasOtherNamedInputs(recorded, inputs);
}

function isOther({ path, value }: InputLeaf, inputs: JsonObject): boolean {
  return JSON.stringify(valueAt(inputs, path)) !== JSON.stringify(value);
}

function unnamedLeaves({ original, elements }: RecordedInputs): readonly InputLeaf[] {
  const named = new Set(elements.flatMap(namesOf));
  const isNamed = ({ path }: InputLeaf) => path.some((_, at) => named.has(path.slice(0, at + 1).join(".")));
  return leavesOf(original ?? {}).filter((leaf) => !isNamed(leaf));
}

export function namesOf({ action, by }: TrajectoryElement): readonly string[] {
  const target = by === "model" && action.target !== undefined ? [action.target] : [];
  return [...textsOf(action), ...target]
    .flatMap(placeholdersIn)
    .filter(({ isSecret }) => !isSecret)
    .map(({ name }) => name);
}

export function leavesOf(inputs: JsonObject, above: readonly string[] = []): readonly InputLeaf[] {
  return Object.entries(inputs).flatMap(([own, value]) => {
    const path = [...above, own];
    const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
    return isObject && Object.keys(value).length > 0
      ? leavesOf(value as JsonObject, path)
      : [{ name: path.join("."), path, value }];
  });
}

function valueAt(inputs: JsonObject, path: readonly string[]): Json | undefined {
  const whole = path.join(".");
  if (Object.hasOwn(inputs, whole)) return inputs[whole];
  let value: Json | undefined = inputs;
  for (const step of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as JsonObject)[step];
  }
  return value;
}

export function textsOf(action: Action): readonly string[] {
  const texts = Object.entries(action).filter(([field]) => isFilledIn(action, field));
  return texts.map(([, text]) => String(text));
}

export function namesIn(action: Action): readonly string[] {
  const output = action.type === "finish" ? [JSON.stringify(action.output ?? null)] : [];
  const placeholders = [...textsOf(action), ...output].flatMap(placeholdersIn);
  return placeholders.filter(({ isSecret }) => !isSecret).map(({ name }) => name);
}
