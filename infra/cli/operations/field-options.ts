import type { CommandOption } from "../program/command.ts";
import { UsageError } from "../program/failures.ts";
import type { DescribedField } from "./described-operation.ts";

/** Reads what `@FILE` or `-` stands for. */
export type ReadSource = (source: string) => Promise<string>;

export function flagOf({ name }: DescribedField): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** As commander names the value of `flagOf`. */
export function attributeOf({ name }: DescribedField): string {
  return name.replaceAll(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}

const placeholders = {
  text: "text",
  integer: "number",
  number: "number",
  boolean: "",
  pairs: "name=value",
  json: "json",
} as const satisfies Record<DescribedField["kind"], string>;

export function optionsOf(field: DescribedField): readonly CommandOption[] {
  const { kind, isList = false, isSecret, text, choices, preset } = field;
  const flag = flagOf(field);
  if (kind === "boolean") {
    return [
      { flags: flag, text, ...presetOf(preset) },
      { flags: flag.replace("--", "--no-"), text: "", isHidden: true },
    ];
  }
  const placeholder = isSecret === true ? secretPlaceholder(kind) : placeholders[kind];
  return [
    {
      flags: `${flag} <${placeholder}>`,
      text: [text, choices && `One of: ${choices.join(", ")}.`, field.isRequired && "Needed."]
        .filter((part) => typeof part === "string")
        .join(" "),
      ...(choices === undefined ? {} : { hints: choices }),
      isRepeatable: isList || kind === "pairs",
      ...presetOf(preset),
    },
  ];
}

function secretPlaceholder(kind: DescribedField["kind"]): string {
  return kind === "pairs" ? "name=@file" : "@file";
}

function presetOf(preset: unknown): { readonly preset?: string } {
  return preset === undefined ? {} : { preset: typeof preset === "string" ? preset : JSON.stringify(preset) };
}

/** @param given is what commander has: a text, a list of texts, or a boolean. @throws {UsageError} */
export async function parseValue(field: DescribedField, given: unknown, read: ReadSource): Promise<unknown> {
  if (field.kind === "boolean") return given;
  const texts = [given].flat().map(String);
  if (field.kind === "pairs") return await pairsOf(field, texts, read);
  if (field.isList === true) return listOf(field, texts);
  const text = texts.at(-1) ?? "";
  if (field.isNullable === true && text === "null") return null;
  if (field.kind === "json") return parseJson(field, isSource(text) ? await read(text) : text);
  if (field.isSecret === true) return (await readSecret(field, text, read)).replace(/\r?\n$/, "");
  if (field.kind === "text") return checkChoice(field, text);
  const number = Number(text);
  const isSound = text.trim() !== "" && Number.isFinite(number);
  if (isSound && (field.kind === "number" || Number.isInteger(number))) return number;
  throw new UsageError(
    `${flagOf(field)} takes ${field.kind === "integer" ? "a whole number" : "a number"}, not ${text}`,
  );
}

/** Ids and choices hold no comma, so that several may be given at once; an empty text alone is the empty list. */
function listOf(field: DescribedField, texts: readonly string[]): readonly string[] {
  if (texts.length === 1 && texts[0] === "") return [];
  const isSplit = field.choices !== undefined || /(^|_)ids?$/.test(field.name);
  const each = isSplit ? texts.flatMap((text) => text.split(",")) : texts;
  return each.map((text) => checkChoice(field, text));
}

function checkChoice(field: DescribedField, text: string): string {
  if (field.choices === undefined || field.choices.includes(text)) return text;
  throw new UsageError(`${flagOf(field)} takes one of ${field.choices.join(", ")}, not ${text}`);
}

/** `name=text`, or `name:=JSON` for what is no text; all at once as JSON or as a file of it. */
async function pairsOf(field: DescribedField, texts: readonly string[], read: ReadSource): Promise<unknown> {
  const pairs: [string, unknown][] = [];
  for (const text of texts) {
    if (text.startsWith("{") || isSource(text)) {
      if (text.startsWith("{") && field.isSecret === true) throw secretInArguments(field);
      const json = parseJson(field, isSource(text) ? await read(text) : text);
      if (typeof json !== "object" || json === null || Array.isArray(json)) {
        throw new UsageError(`${flagOf(field)} takes an object of JSON`);
      }
      pairs.push(...Object.entries(json));
      continue;
    }
    const found = /^([^=:]+)(:?=)(.*)$/s.exec(text);
    if (found === null) throw new UsageError(`${flagOf(field)} takes name=value, or name:=JSON, not ${text}`);
    const [, name = "", sign, value = ""] = found;
    if (field.isSecret === true)
      pairs.push([name, (await readSecret(field, value, read)).replace(/\r?\n$/, "")]);
    else pairs.push([name, sign === ":=" ? parseJson(field, value) : value]);
  }
  return Object.fromEntries(pairs);
}

async function readSecret(field: DescribedField, text: string, read: ReadSource): Promise<string> {
  if (!isSource(text)) throw secretInArguments(field);
  return await read(text);
}

/** The message leaves out what was given. */
function secretInArguments(field: DescribedField): UsageError {
  return new UsageError(
    `${flagOf(field)} is a secret, and other programs can read the command line: give @FILE, or - for standard input`,
  );
}

export function isSource(text: string): boolean {
  return text === "-" || text.startsWith("@");
}

function parseJson(field: DescribedField, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `${flagOf(field)} takes JSON${field.isSecret === true ? "" : `, which ${text.slice(0, 40)} is not`}`,
    );
  }
}
