import { codeSuffix, placeholder, placeholdersIn } from "../../vocabulary/placeholders.ts";
import type { Json, JsonObject } from "../json.ts";

export interface FillSources {
  readonly inputs: JsonObject;
  readonly saved: ReadonlyMap<string, Json>;
  readonly aliases: ReadonlySet<string>;
}

export interface SecretPart {
  readonly alias: string;
  readonly isCode: boolean;
}

export type TextPart = string | SecretPart;

export type Filled =
  | {
      readonly kind: "filled";
      /** The text with inputs and saved values filled in and secrets left as `{$alias}`. */
      readonly shown: string;
      /** The same text in parts, whose secrets are filled in immediately before use. */
      readonly parts: readonly TextPart[];
      /** Something was filled in, so the text is this run's own. */
      readonly isOwn: boolean;
    }
  /** The value is missing; the name is `name` or `$alias`. */
  | { readonly kind: "missing"; readonly name: string };

/** Fills in values in one pass: placeholders within a value stay text. */
export function fillIn(text: string, sources: FillSources): Filled {
  const parts: TextPart[] = [];
  let shown = "";
  let isOwn = false;
  let from = 0;
  for (const { at, whole, name, isSecret } of placeholdersIn(text)) {
    const before = text.slice(from, at);
    from = at + whole.length;
    isOwn = true;
    if (isSecret) {
      const secret = secretOf(name, sources.aliases);
      if (secret === undefined) return { kind: "missing", name: `$${name}` };
      parts.push(before, secret);
      shown += before + whole;
      continue;
    }
    const value = sourceValue(name, sources);
    if (value === undefined || value === null) return { kind: "missing", name };
    parts.push(before + textOf(value));
    shown += before + textOf(value);
  }
  const rest = text.slice(from);
  return {
    kind: "filled",
    shown: shown + rest,
    parts: [...parts, rest].filter((part) => part !== ""),
    isOwn,
  };
}

/** @param name is without its braces; a secret's begins with `$`. */
export function nobodyGave(what: string, name: string): string {
  const field = name.startsWith("$") ? "sensitive_input_values" : "input_values";
  return `${what} names {${name}}, which nobody gave: it belongs in the run's ${field}, or to its machine or pools`;
}

export type FilledOutput =
  | { readonly kind: "filled"; readonly value: Json }
  | { readonly kind: "missing"; readonly name: string };

/** Fills in an output's inputs and saved values; a text that is one placeholder becomes the value itself. */
export function fillInOutput(template: Json, sources: FillSources): FilledOutput {
  if (typeof template === "string") return fillInText(template, sources);
  if (template === null || typeof template !== "object") return { kind: "filled", value: template };
  const filled: [string, Json][] = [];
  // An array's entries are named by their indexes.
  for (const [name, each] of Object.entries(template as JsonObject)) {
    const value = fillInOutput(each, sources);
    if (value.kind === "missing") return value;
    filled.push([name, value.value]);
  }
  const value = Array.isArray(template) ? filled.map(([, each]) => each) : Object.fromEntries(filled);
  return { kind: "filled", value };
}

function fillInText(template: string, sources: FillSources): FilledOutput {
  const [only] = placeholdersIn(template);
  if (only !== undefined && only.whole === template && !only.isSecret) {
    const value = sourceValue(only.name, sources);
    return value === undefined ? { kind: "missing", name: only.name } : { kind: "filled", value };
  }
  const filled = fillIn(template, { ...sources, aliases: new Set() });
  return filled.kind === "missing" ? filled : { kind: "filled", value: filled.shown };
}

/** Returns the parts of a text that never vary. Beside a placeholder, a part of punctuation alone does not count. */
export function constantsIn(text: string): readonly string[] {
  const parts = text.split(placeholder());
  const bare = parts.map((part) => (parts.length === 1 ? part.trim() : part.replaceAll(signsAround(), "")));
  return bare.filter((part) => part !== "");
}

const signsAround = () => /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

export function secretOf(name: string, aliases: ReadonlySet<string>): SecretPart | undefined {
  if (aliases.has(name)) return { alias: name, isCode: false };
  const alias = name.slice(0, -codeSuffix.length);
  return name.endsWith(codeSuffix) && aliases.has(alias) ? { alias, isCode: true } : undefined;
}

function sourceValue(name: string, { inputs, saved }: FillSources): Json | undefined {
  if (saved.has(name)) return saved.get(name);
  if (Object.hasOwn(inputs, name)) return inputs[name];
  const [first = "", ...rest] = name.split(".");
  let value: Json | undefined = saved.has(first)
    ? saved.get(first)
    : Object.hasOwn(inputs, first)
      ? inputs[first]
      : undefined;
  for (const step of rest) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, Json>>)[step];
  }
  return value;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
