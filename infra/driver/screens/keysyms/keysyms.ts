import keysymdef from "x11/lib/keysyms.js";
import { commonKeyNames } from "./common-key-names.ts";
import { xf86Keysyms } from "./xf86-keysyms.ts";

/** A character's keysym is its code point plus this. */
const unicodeKeysyms = 0x0100_0000;
/** X's keysyms have 29 bits. */
const keysymMax = 0x1fff_ffff;
const tab = 0xff09;
const enter = 0xff0d;

const keysyms = new Map<string, number>();
/** The keysym is undefined where upper and lower case are two keys, as in `a` and `A`. */
const keysymsInAnyCase = new Map<string, number | undefined>();
/** Keysyms below 0x3000 are numbered by older character sets: Latin-2, Cyrillic, Greek, … */
const legacyCharacters = new Map<number, string>();

function add(name: string, keysym: number): void {
  const inAnyCase = name.toLowerCase();
  const isTaken = keysymsInAnyCase.has(inAnyCase) && keysymsInAnyCase.get(inAnyCase) !== keysym;
  keysyms.set(name, keysym);
  keysymsInAnyCase.set(inAnyCase, isTaken ? undefined : keysym);
}

for (const [name, entry] of Object.entries(keysymdef)) {
  // VoidSymbol and NoSymbol stand for no key.
  if (typeof entry === "number" || name === "XK_VoidSymbol") continue;
  add(name.replace(/^XK_/, ""), entry.code);
  const character = /^\(\(?(.)\)+ /u.exec(entry.description ?? "")?.[1];
  if (character !== undefined && entry.code < 0x3000) legacyCharacters.set(entry.code, character);
}
for (const [name, keysym] of xf86Keysyms) add(`XF86${name}`, keysym);

function findByNumber(name: string): number | undefined {
  const point = /^u([0-9a-f]{4,6})$/i.exec(name)?.[1];
  if (point !== undefined) {
    const code = Number.parseInt(point, 16);
    return code >= 0x20 && code <= 0x10_ffff ? keysymOf(String.fromCodePoint(code)) : undefined;
  }
  const keysym = /^0x[0-9a-f]{1,8}$/i.test(name) ? Number(name) : 0;
  return keysym > 0 && keysym <= keysymMax ? keysym : undefined;
}

/** The name may be X's own, a common one such as `page_down`, `U20AC`, or `0x20ac`. */
export function findKeysym(name: string): number | undefined {
  const inAnyCase = name.toLowerCase();
  const commonName = commonKeyNames.get(inAnyCase.replaceAll("_", ""));
  return (
    keysyms.get(name) ??
    (commonName === undefined ? undefined : keysyms.get(commonName)) ??
    keysymsInAnyCase.get(inAnyCase) ??
    findByNumber(name)
  );
}

/** The keypad types no character, because programs mistake its digits for other keys. */
export function characterOf(keysym: number): string | undefined {
  if (keysym === tab) return "\t";
  if (keysym === enter) return "\n";
  const legacy = legacyCharacters.get(keysym);
  if (legacy !== undefined) return legacy;
  const point = keysym - unicodeKeysyms;
  if (point < 0x100 || point > 0x10_ffff) return undefined;
  const character = String.fromCodePoint(point);
  return keysymOf(character) === keysym ? character : undefined;
}

/** Returns undefined for control characters, lone surrogates and noncharacters. */
export function keysymOf(character: string): number | undefined {
  if (character === "\t") return tab;
  if (character === "\n" || character === "\r") return enter;
  if (!/^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]$/u.test(character)) return undefined;
  const point = character.codePointAt(0) ?? 0;
  return point <= 0xff ? point : unicodeKeysyms + point;
}
