import type { ErrorObject } from "ajv";
import type { Json } from "../domain/json.ts";
import type { InputError } from "../domain/run/inputs/input-checker.ts";

const errorsMax = 100;
const valuesCharactersMax = 200;

/** What is wrong, said of the value's own names, each thing once. */
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
  const path = pathOf(error.instancePath, value);
  const { keyword, params } = error;
  const surplus = surplusName(error);
  if (keyword === "required") {
    return { path: [...path, String(params.missingProperty)], message: "is required", reason: "missing" };
  }
  if (surplus !== undefined)
    return { path: [...path, surplus], message: "is not allowed", reason: "not_allowed" };
  return { path, message: messageOf(error), reason: "invalid" };
}

/** The name that is too much, where a schema allows no others. */
export function surplusName({ keyword, params }: ErrorObject): string | undefined {
  if (keyword === "additionalProperties") return String(params.additionalProperty);
  if (keyword === "unevaluatedProperties") return String(params.unevaluatedProperty);
  return undefined;
}

function messageOf({ keyword, params, message = "is not what the schema asks for" }: ErrorObject): string {
  if (keyword !== "enum" && keyword !== "const") return message;
  const allowed = keyword === "enum" ? params.allowedValues : [params.allowedValue];
  const text = allowed.map((one: unknown) => JSON.stringify(one)).join(", ");
  return text.length > valuesCharactersMax
    ? message
    : `must be ${keyword === "enum" ? "one of " : ""}${text}`;
}

/** A JSON pointer's names; whether one is an index only the value can tell. */
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
