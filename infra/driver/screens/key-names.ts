import { Refusal } from "../answer.ts";

const KEYSYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alt: "alt",
    backspace: "BackSpace",
    capslock: "Caps_Lock",
    cmd: "super",
    command: "super",
    control: "ctrl",
    ctrl: "ctrl",
    del: "Delete",
    delete: "Delete",
    down: "Down",
    end: "End",
    enter: "Return",
    esc: "Escape",
    escape: "Escape",
    home: "Home",
    ins: "Insert",
    insert: "Insert",
    left: "Left",
    menu: "Menu",
    meta: "super",
    option: "alt",
    pagedown: "Next",
    pageup: "Prior",
    pgdn: "Next",
    pgup: "Prior",
    pause: "Pause",
    printscreen: "Print",
    return: "Return",
    right: "Right",
    shift: "shift",
    space: "space",
    super: "super",
    tab: "Tab",
    up: "Up",
    win: "super",
    windows: "super",
  }),
);
const FUNCTION_KEY = /^f([1-9]|1[0-9]|2[0-4])$/;
const KEYSYM = /^[A-Za-z0-9_]{1,64}$/;
const GROUPS_MAX = 64;
const KEYS_MAX = 8;

/** A character as xdotool takes it: by its own name, or by its code point. */
function keysymOf(key: string): string {
  const friendly = KEYSYMS.get(key.toLowerCase());
  if (friendly !== undefined) return friendly;
  if (FUNCTION_KEY.test(key.toLowerCase())) return key.toUpperCase();
  if (KEYSYM.test(key)) return key;
  const [character, ...rest] = key;
  const codePoint = character?.codePointAt(0) ?? 0;
  if (rest.length === 0 && codePoint > 0x20 && codePoint !== 0x7f) {
    return `U${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  }
  throw new Refusal(422, "unknown_key", "a key has no name that is known here");
}

/** `ctrl++` is ctrl and the plus sign; elsewhere `+` separates. */
function keysOf(group: string): string[] {
  if (group === "+") return ["+"];
  return group.endsWith("++") ? [...group.slice(0, -2).split("+"), "+"] : group.split("+");
}

/**
 * Reads `ctrl+shift+t Return`: groups separated by blanks, the keys of a group by `+`. Names are X keysyms or
 * common ones in any case (enter, esc, cmd, pageup, f5).
 *
 * @throws {Refusal} 422 `unknown_key`, or `invalid_input` above 64 groups or 8 keys in one.
 */
export function parseKeys(text: string): readonly (readonly string[])[] {
  const groups = text.split(/\s+/).filter((group) => group !== "");
  if (groups.length === 0) throw new Refusal(422, "invalid_input", "body.text: names no key");
  if (groups.length > GROUPS_MAX) {
    throw new Refusal(422, "invalid_input", `body.text: at most ${GROUPS_MAX} groups of keys are taken`);
  }
  return groups.map((group) => {
    const keys = keysOf(group);
    if (keys.length > KEYS_MAX) {
      throw new Refusal(422, "invalid_input", `body.text: at most ${KEYS_MAX} keys go together`);
    }
    return keys.map(keysymOf);
  });
}
