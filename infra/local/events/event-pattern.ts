import { asList, isObject, type Json, type JsonObject, TemplateError } from "../template/json.ts";

type Test = (value: Json | undefined) => boolean;

function isString(value: Json | undefined): value is string {
  return typeof value === "string";
}

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  "=": (left, right) => left === right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

function numeric(argument: Json): Test {
  const parts = asList(argument);
  const bounds = Array.from({ length: parts.length / 2 }, (_, at) => {
    const compare = comparisons[String(parts[at * 2])];
    const bound = parts[at * 2 + 1];
    if (compare === undefined || typeof bound !== "number") {
      throw new TemplateError(`not a numeric filter: ${JSON.stringify(argument)}`);
    }
    return (value: number): boolean => compare(value, bound);
  });
  return (value) => typeof value === "number" && bounds.every((holds) => holds(value));
}

function anythingBut(argument: Json): Test {
  if (isObject(argument)) {
    const excluded = operator(argument);
    return (value) => value !== undefined && !excluded(value);
  }
  const excluded = asList(argument);
  return (value) => value !== undefined && !excluded.includes(value);
}

function operator(test: JsonObject): Test {
  const [[name, argument] = ["", null], ...others] = Object.entries(test);
  if (others.length > 0) throw new TemplateError(`more than one operator in ${JSON.stringify(test)}`);
  switch (name) {
    case "exists":
      return (value) => (value !== undefined) === argument;
    case "prefix":
      return (value) => isString(value) && value.startsWith(String(argument));
    case "suffix":
      return (value) => isString(value) && value.endsWith(String(argument));
    case "equals-ignore-case":
      return (value) => isString(value) && value.toLowerCase() === String(argument).toLowerCase();
    case "anything-but":
      return anythingBut(argument);
    case "numeric":
      return numeric(argument);
    default:
      throw new TemplateError(`the filter operator ${name} is not known to the local stack`);
  }
}

function matchesAny(alternatives: readonly Json[], value: Json | undefined): boolean {
  return alternatives.some((alternative) => {
    if (isObject(alternative)) return operator(alternative)(value);
    return alternative === value;
  });
}

function matchesField(pattern: Json, value: Json | undefined): boolean {
  if (isObject(pattern)) {
    // Below a missing field only `exists: false` can hold, and each leaf decides that for itself.
    return matchesPattern(pattern, isObject(value) ? value : {});
  }
  const alternatives = asList(pattern);
  if (!Array.isArray(value)) return matchesAny(alternatives, value);
  return value.length === 0
    ? matchesAny(alternatives, undefined)
    : value.some((element: Json) => matchesAny(alternatives, element));
}

/**
 * As in Lambda, numbers of DynamoDB (`{"N": "5"}`) are strings, which `numeric` never matches.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html#filtering-syntax
 *
 * @throws {TemplateError} for an unknown operator.
 */
export function matchesPattern(pattern: JsonObject, event: JsonObject): boolean {
  return Object.entries(pattern).every(([field, wanted]) => {
    if (field !== "$or") return matchesField(wanted, event[field]);
    return asList(wanted).some((alternative) => isObject(alternative) && matchesPattern(alternative, event));
  });
}
