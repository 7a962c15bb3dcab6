import type { ErrorObject } from "ajv";
import type { Json } from "../domain/json.ts";
import type { InputError } from "../domain/workflow/input-checker.ts";

const errorsMax = 100;
const valuesCharactersMax = 200;
/** Messages quote the schema: whole patterns, and lists of names. */
const messageCharactersMax = 300;
const nameCharactersMax = 255;
const namesMax = 32;

export function presentErrors(errors: readonly ErrorObject[], value: Json): readonly InputError[] {
  const seen = new Map<string, InputError>();
  for (const error of errors) {
    const presented = presentError(error, value);
    seen.set(JSON.stringify([presented.path, presented.message]), presented);
    if (seen.size === errorsMax) break;
  }
  return [...seen.values()];
}

function presentError(error: ErrorObject, value: Json): InputError {
  const path = shortPath(pathOf(error.instancePath, value));
  const { keyword, params } = error;
  const surplus = surplusName(error);
  if (keyword === "required") {
    const name = shortened(String(params.missingProperty), nameCharactersMax);
    return { path: [...path, name], message: "is required", reason: "missing" };
  }
  if (surplus !== undefined)
    return {
      path: [...path, shortened(surplus, nameCharactersMax)],
      message: "is not allowed",
      reason: "not_allowed",
    };
  return { path, message: messageOf(error), reason: "invalid" };
}

export function surplusName({ keyword, params }: ErrorObject): string | undefined {
  if (keyword === "additionalProperties") return String(params.additionalProperty);
  if (keyword === "unevaluatedProperties") return String(params.unevaluatedProperty);
  return undefined;
}

function messageOf({ keyword, params, message = "is not what the schema asks for" }: ErrorObject): string {
  if (keyword !== "enum" && keyword !== "const") return shortened(message, messageCharactersMax);
  const allowed: readonly unknown[] = keyword === "enum" ? params.allowedValues : [params.allowedValue];
  const text = valuesText(allowed);
  return text === undefined ? message : `must be ${keyword === "enum" ? "one of " : ""}${text}`;
}

function valuesText(values: readonly unknown[]): string | undefined {
  let text = "";
  for (const value of values) {
    text += `${text === "" ? "" : ", "}${JSON.stringify(value)}`;
    if (text.length > valuesCharactersMax) return undefined;
  }
  return text;
}

/** A deep path, or one of long names, is shortened. */
function shortPath(path: InputError["path"]): InputError["path"] {
  const names = path.map((name) => (typeof name === "string" ? shortened(name, nameCharactersMax) : name));
  return names.length > namesMax ? [...names.slice(0, namesMax), "…"] : names;
}

function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Only the value shows which names of the pointer are indexes. */
export function pathOf(pointer: string, value: Json): readonly (string | number)[] {
  let at: unknown = value;
  return pointer
    .split("/")
    .slice(1)
    .map((escaped) => {
      const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
      const isIndex = Array.isArray(at);
      at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
      return isIndex ? Number(name) : name;
    });
}
