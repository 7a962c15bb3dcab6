const keysymNames: ReadonlyMap<string, string> = new Map(
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
const functionKey = /^f([1-9]|1[0-9]|2[0-4])$/;

function keysymOf(key: string): string {
  if (functionKey.test(key.toLowerCase())) return key.toUpperCase();
  return keysymNames.get(key.toLowerCase()) ?? key;
}

/** The groups of the contract's text of keys. Names are X keysyms or common ones in any case (enter, esc, cmd, f5). */
export function parseKeys(text: string): readonly (readonly string[])[] {
  return text
    .trim()
    .split(/\s+/)
    .map((group) => group.split("+").map(keysymOf));
}
