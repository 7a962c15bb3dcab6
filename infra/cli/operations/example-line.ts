import type { DescribedOperation } from "./described-operation.ts";
import { flagOf } from "./field-options.ts";

/** The contract's own example as a line, with its ids as words in capitals. */
export function exampleOf(operation: DescribedOperation): string {
  const { noun, verb, path, query, example, body = [], pages } = operation;
  const words = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name.toUpperCase());
  const values = Object.entries(example ?? {});
  const isComplex = values.some(
    ([, value]) => Array.isArray(value) && value.some((each) => typeof each !== "string"),
  );
  const options = isComplex
    ? [`--body ${quoted(JSON.stringify(example))}`]
    : values.flatMap(([name, value]) => {
        const field = body.find((each) => each.name === name);
        return field === undefined ? [] : optionsFor(flagOf(field), value, field.isSecret === true);
      });
  const needed = query
    .filter(({ isRequired }) => isRequired === true)
    .flatMap((field) => optionsFor(flagOf(field), field.example ?? field.name.toUpperCase(), false));
  const file = operation.takesForm === true ? ["FILE"] : [];
  return [
    "das",
    noun,
    verb,
    ...words,
    ...file,
    ...needed,
    ...options,
    ...(pages === undefined ? [] : ["--limit 20"]),
  ].join(" ");
}

function optionsFor(flag: string, value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === "boolean") return [value ? flag : flag.replace("--", "--no-")];
  if (Array.isArray(value) && value.length === 0) return [`${flag} ''`];
  if (Array.isArray(value)) return value.map((each) => `${flag} ${quoted(String(each))}`);
  if (typeof value !== "object" || value === null)
    return [`${flag} ${isSecret ? "@FILE" : quoted(String(value))}`];
  return Object.entries(value).map(([name, each]) => {
    if (isSecret) return `${flag} ${name}=@FILE`;
    return `${flag} ${quoted(typeof each === "string" ? `${name}=${each}` : `${name}:=${JSON.stringify(each)}`)}`;
  });
}

function quoted(text: string): string {
  return /^[\w.,:/@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
