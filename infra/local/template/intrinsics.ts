import {
  asList,
  asObject,
  asString,
  isObject,
  type Json,
  type JsonObject,
  optionalString,
  TemplateError,
} from "./json.ts";

export type Lookup = {
  readonly ref: (name: string) => Json | typeof noValue;
  readonly getAtt: (logicalId: string, attribute: string) => Json;
  readonly importValue: (exportName: string) => Json;
  readonly stackOutput: (stackName: string, outputName: string) => Json;
  readonly condition: (name: string) => boolean;
};

export const noValue = Symbol("AWS::NoValue");
type Value = Json | typeof noValue;

type Evaluate = (argument: Json, lookup: Lookup) => Value;

function pair(argument: Json, name: string): readonly [Json, Json] {
  const [first, second] = asList(argument);
  if (first === undefined || second === undefined) throw new TemplateError(`${name} takes two arguments`);
  return [first, second];
}

function getAtt(argument: Json, lookup: Lookup): Json {
  const text = optionalString(argument);
  const dot = text?.indexOf(".") ?? -1;
  const [logicalId, attribute] =
    text === undefined ? pair(argument, "Fn::GetAtt") : [text.slice(0, dot), text.slice(dot + 1)];
  return lookup.getAtt(
    asString(logicalId, "Fn::GetAtt"),
    asString(resolveValue(attribute, lookup), "Fn::GetAtt"),
  );
}

function join(argument: Json, lookup: Lookup): Json {
  const [delimiter, values] = pair(argument, "Fn::Join");
  const resolved = asList(resolveValue(values, lookup));
  return resolved.map((value) => asString(value, "Fn::Join")).join(asString(delimiter, "Fn::Join"));
}

function sub(argument: Json, lookup: Lookup): Json {
  const [template, variables] = typeof argument === "string" ? [argument, {}] : pair(argument, "Fn::Sub");
  const given = asObject(variables);
  return asString(template, "Fn::Sub").replaceAll(
    /\$\{(!?)([^}]+)\}/g,
    (_match, literal: string, name: string) => {
      if (literal === "!") return `\${${name}}`;
      const own = given[name];
      if (own !== undefined) return asString(resolveValue(own, lookup), `Fn::Sub ${name}`);
      if (name.includes(".")) return asString(getAtt(name, lookup), `Fn::Sub ${name}`);
      return asString(resolveValue({ Ref: name }, lookup), `Fn::Sub ${name}`);
    },
  );
}

function select(argument: Json, lookup: Lookup): Json {
  const [index, list] = pair(argument, "Fn::Select");
  const at = Number(asString(resolveValue(index, lookup), "Fn::Select"));
  const found = asList(resolveValue(list, lookup))[at];
  if (found === undefined) throw new TemplateError(`Fn::Select: no element ${at}`);
  return found;
}

function choose(argument: Json, lookup: Lookup): Value {
  const [name, yes, no] = asList(argument);
  if (yes === undefined || no === undefined) throw new TemplateError("Fn::If takes three arguments");
  return resolve(lookup.condition(asString(name, "Fn::If")) ? yes : no, lookup);
}

function isTrue(argument: Json | undefined, lookup: Lookup): boolean {
  if (isObject(argument) && typeof argument.Condition === "string")
    return lookup.condition(argument.Condition);
  const value = resolveValue(argument ?? false, lookup);
  return value === true || value === "true";
}

function stackOutput(argument: Json, lookup: Lookup): Json {
  const given = asObject(argument);
  const name = (property: string): string =>
    asString(resolveValue(given[property] ?? null, lookup), `Fn::GetStackOutput ${property}`);
  return lookup.stackOutput(name("StackName"), name("OutputName"));
}

const intrinsicFunctions: Readonly<Record<string, Evaluate>> = {
  Ref: (argument, lookup) => lookup.ref(asString(argument, "Ref")),
  "Fn::GetAtt": getAtt,
  "Fn::Join": join,
  "Fn::Sub": sub,
  "Fn::Select": select,
  "Fn::Split": (argument, lookup) => {
    const [delimiter, source] = pair(argument, "Fn::Split");
    return asString(resolveValue(source, lookup), "Fn::Split").split(asString(delimiter, "Fn::Split"));
  },
  "Fn::If": choose,
  "Fn::Equals": (argument, lookup) => {
    const [left, right] = pair(argument, "Fn::Equals");
    return JSON.stringify(resolveValue(left, lookup)) === JSON.stringify(resolveValue(right, lookup));
  },
  "Fn::And": (argument, lookup) => asList(argument).every((part) => isTrue(part, lookup)),
  "Fn::Or": (argument, lookup) => asList(argument).some((part) => isTrue(part, lookup)),
  "Fn::Not": (argument, lookup) => !isTrue(asList(argument)[0], lookup),
  "Fn::ImportValue": (argument, lookup) =>
    lookup.importValue(asString(resolveValue(argument, lookup), "Fn::ImportValue")),
  "Fn::GetStackOutput": stackOutput,
};

function resolveObject(value: JsonObject, lookup: Lookup): Value {
  const [name, ...others] = Object.keys(value);
  if (name !== undefined && others.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) {
    const evaluate = intrinsicFunctions[name];
    if (evaluate === undefined) throw new TemplateError(`${name} is not known to the local stack`);
    return evaluate(value[name] ?? null, lookup);
  }
  const resolved: Record<string, Json> = {};
  for (const [key, raw] of Object.entries(value)) {
    const part = resolve(raw, lookup);
    if (part !== noValue) resolved[key] = part;
  }
  return resolved;
}

function resolve(value: Json, lookup: Lookup): Value {
  if (Array.isArray(value)) {
    return value.map((part: Json) => resolve(part, lookup)).filter((part) => part !== noValue);
  }
  if (isObject(value)) return resolveObject(value, lookup);
  // References to secrets stay as they are, for the code that knows their values.
  if (typeof value === "string" && /\{\{resolve:(?!secretsmanager:)/.test(value)) {
    throw new TemplateError(`dynamic references are not known to the local stack: ${value}`);
  }
  return value;
}

/**
 * Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html
 *
 * @throws {TemplateError} for an unknown function or reference.
 */
export function resolveValue(value: Json, lookup: Lookup): Json {
  const resolved = resolve(value, lookup);
  return resolved === noValue ? null : resolved;
}

export function resolveCondition(value: Json, lookup: Lookup): boolean {
  return isTrue(value, lookup);
}
