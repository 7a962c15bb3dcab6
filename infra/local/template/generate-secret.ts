import { randomInt } from "node:crypto";
import {
  asObject,
  isObject,
  type JsonObject,
  optionalBoolean,
  optionalNumber,
  optionalString,
} from "./json.ts";

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const digits = "0123456789";
const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const defaultLength = 32;

type Pick = (max: number) => number;

function without(alphabet: string, excluded: string): string {
  return [...alphabet].filter((character) => !excluded.includes(character)).join("");
}

function password(rules: JsonObject, pick: Pick): string {
  const excluded = optionalString(rules.ExcludeCharacters) ?? "";
  const groups = [
    optionalBoolean(rules.ExcludeLowercase) ? "" : lower,
    optionalBoolean(rules.ExcludeUppercase) ? "" : upper,
    optionalBoolean(rules.ExcludeNumbers) ? "" : digits,
    optionalBoolean(rules.ExcludePunctuation) ? "" : punctuation,
    optionalBoolean(rules.IncludeSpace) ? " " : "",
  ]
    .map((group) => without(group, excluded))
    .filter((group) => group !== "");
  const length = optionalNumber(rules.PasswordLength) ?? defaultLength;
  const all = groups.join("");
  const each = optionalBoolean(rules.RequireEachIncludedType) ?? true;
  const characters = Array.from({ length }, (_, at) => {
    const alphabet = (each ? groups[at] : undefined) ?? all;
    return alphabet[pick(alphabet.length)] ?? "";
  });
  for (let at = characters.length - 1; at > 0; at -= 1) {
    const other = pick(at + 1);
    [characters[at], characters[other]] = [characters[other] ?? "", characters[at] ?? ""];
  }
  return characters.join("");
}

/** Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-secretsmanager-secret-generatesecretstring.html */
export function generateSecretString(rules: JsonObject, pick: Pick = randomInt): string {
  const made = password(rules, pick);
  const template = optionalString(rules.SecretStringTemplate);
  const key = optionalString(rules.GenerateStringKey);
  if (template === undefined || key === undefined) return made;
  const parsed: unknown = JSON.parse(template);
  return JSON.stringify({ ...(isObject(parsed) ? asObject(parsed) : {}), [key]: made });
}
