import { inputBytesMax } from "../../../vocabulary/files.ts";
import { type Json, type JsonObject, jsonBytes } from "../../json.ts";

export interface Reference {
  readonly alias: string;
  /** An empty path selects all of output_data. */
  readonly path: readonly string[];
}

export type ResolvedInputs =
  | { readonly kind: "resolved"; readonly inputs: JsonObject }
  | { readonly kind: "unresolved"; readonly reference: string; readonly message: string }
  | { readonly kind: "too_large"; readonly message: string };

const depthMax = 200;

const tooLargeMessage = `what the references of the inputs stand for takes more than ${inputBytesMax} bytes of JSON`;

/** Outputs begin at the first `.outputs` that ends a name. Returns undefined when malformed. */
export function parseReference(text: string): Reference | undefined {
  const found = /^(?<alias>.+?)\.outputs(?:\.(?<path>.+))?$/su.exec(text);
  const { alias, path } = found?.groups ?? {};
  return alias === undefined ? undefined : { alias, path: path?.split(".") ?? [] };
}

/** `resolveReferences` refuses malformed references and values nested too deeply. */
export function referencedAliases(inputs: JsonObject): readonly string[] {
  const aliases = new Set<string>();
  const visit = (value: Json, depth: number): void => {
    if (value === null || typeof value !== "object" || depth > depthMax) return;
    const text = referenceIn(value);
    const alias = text === undefined ? undefined : parseReference(text)?.alias;
    if (alias !== undefined) aliases.add(alias);
    if (text === undefined) for (const item of Object.values(value)) visit(item, depth + 1);
  };
  visit(inputs, 0);
  return [...aliases];
}

export function hasReference(inputs: JsonObject): boolean {
  const visit = (value: Json, depth: number): boolean =>
    value !== null &&
    typeof value === "object" &&
    (depth > depthMax ||
      referenceIn(value) !== undefined ||
      Object.values(value).some((item) => visit(item, depth + 1)));
  return visit(inputs, 0);
}

/**
 * Outputs are inserted unchanged, even where they look like references.
 * @param outputsOf returns null when the step has no output, and undefined when there is no such step.
 */
export function resolveReferences(
  inputs: JsonObject,
  outputsOf: (alias: string) => Json | undefined,
): ResolvedInputs {
  let bytes = 0;
  const resolve = (value: Json, depth: number): Json => {
    if (value === null || typeof value !== "object") return value;
    if (depth > depthMax)
      throw unresolved("", `inputs nested deeper than ${depthMax} levels cannot be resolved`);
    const text = referenceIn(value);
    if (text !== undefined) {
      const output = outputAt(text, outputsOf);
      bytes += jsonBytes(output);
      if (bytes > inputBytesMax) throw new Refused({ kind: "too_large", message: tooLargeMessage });
      return output;
    }
    if (isArray(value)) return value.map((item) => resolve(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, depth + 1)]));
  };
  try {
    const resolved = Object.fromEntries(
      Object.entries(inputs).map(([name, item]) => [name, resolve(item, 1)]),
    );
    return { kind: "resolved", inputs: resolved };
  } catch (refused) {
    if (refused instanceof Refused) return refused.outcome;
    throw refused;
  }
}

class Refused extends Error {
  readonly outcome: Exclude<ResolvedInputs, { readonly kind: "resolved" }>;

  constructor(outcome: Refused["outcome"]) {
    super(outcome.message);
    this.outcome = outcome;
  }
}

function unresolved(reference: string, message: string): Refused {
  return new Refused({ kind: "unresolved", reference, message });
}

/** An object with further fields is an ordinary value. */
function referenceIn(value: JsonObject | readonly Json[]): string | undefined {
  if (isArray(value)) return undefined;
  const names = Object.keys(value);
  const text = value.$ref;
  return names.length === 1 && names[0] === "$ref" && typeof text === "string" ? text : undefined;
}

function outputAt(text: string, outputsOf: (alias: string) => Json | undefined): Json {
  const reference = parseReference(text);
  const refuse = (why: string) =>
    unresolved(text, `the reference "${shown(text)}" cannot be resolved: ${why}`);
  if (reference === undefined) throw refuse("it is not written as alias.outputs.path");
  const outputs = outputsOf(reference.alias);
  if (outputs === undefined) {
    throw refuse(`no earlier step of the chain has the session_alias "${shown(reference.alias)}"`);
  }
  let value: Json = outputs;
  for (const [index, name] of reference.path.entries()) {
    const next = memberOf(value, name);
    if (next === undefined) {
      const known = [reference.alias, "outputs", ...reference.path.slice(0, index)].join(".");
      throw refuse(`"${shown(known)}" has no "${shown(name)}"`);
    }
    value = next;
  }
  return value;
}

function memberOf(value: Json, name: string): Json | undefined {
  if (value === null || typeof value !== "object") return undefined;
  if (isArray(value)) return /^(?:0|[1-9][0-9]{0,8})$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function isArray(value: JsonObject | readonly Json[]): value is readonly Json[] {
  return Array.isArray(value);
}
