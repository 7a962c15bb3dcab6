import type { ValidationItem } from "../../contract/errors.ts";
import type { InvalidItem } from "../../domain/invalid-input.ts";

/** This many are enough to fix a request; a body of 1 MB can have errors in many places. */
const itemsMax = 100;

const inputCharactersMax = 100;
const namesMax = 20;

/** The values of these fields never appear in a response, at any depth: secrets, typed text and file contents. */
const sensitiveName =
  /sensitive|secret|token|password|credential|api_?key(?!_id$)|access_key|service_account|^(text|content|command|authorization)$/i;

export function presentInvalidItems(items: readonly InvalidItem[]): ValidationItem[] {
  return items.slice(0, itemsMax).map((item) => ({
    loc: item.loc.slice(0, namesMax).map((name) => (typeof name === "string" ? name.slice(0, 255) : name)),
    msg: item.msg,
    type: item.type,
    ...presentableInput(item),
    ...(item.ctx === undefined ? {} : { ctx: { ...item.ctx } }),
  }));
}

/** Only scalars are shown, because an object, or the value of a mistyped name, could contain a secret. */
function presentableInput({ loc, type, input }: InvalidItem): { input?: unknown } {
  if (type === "extra_forbidden" || type === "missing") return {};
  if (loc.some((name) => typeof name === "string" && sensitiveName.test(name))) return {};
  if (typeof input === "string") {
    return { input: input.length > inputCharactersMax ? `${input.slice(0, inputCharactersMax)}…` : input };
  }
  return input === null || typeof input === "number" || typeof input === "boolean" ? { input } : {};
}
