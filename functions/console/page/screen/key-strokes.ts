export interface Stroke {
  /** The browser's `KeyboardEvent.key`. */
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly isAltGraph: boolean;
  readonly isComposing: boolean;
}

export type Typed =
  | { readonly kind: "text"; readonly text: string }
  /** A group of X's names, such as `ctrl+shift+Left`. */
  | { readonly kind: "keys"; readonly keys: string }
  /** The browser is to go on with it: a dead key, an input method, a paste. */
  | { readonly kind: "browser" }
  /** A modifier alone, or a key that a desktop has no use for. */
  | { readonly kind: "nothing" };

const namedKeys: Readonly<Record<string, string>> = {
  Enter: "Return",
  Backspace: "BackSpace",
  Tab: "Tab",
  Escape: "Escape",
  Delete: "Delete",
  Insert: "Insert",
  Home: "Home",
  End: "End",
  PageUp: "Page_Up",
  PageDown: "Page_Down",
  ArrowUp: "Up",
  ArrowDown: "Down",
  ArrowLeft: "Left",
  ArrowRight: "Right",
  ContextMenu: "Menu",
  PrintScreen: "Print",
  Pause: "Pause",
};

const characterNames: Readonly<Record<string, string>> = {
  " ": "space",
  "!": "exclam",
  '"': "quotedbl",
  "#": "numbersign",
  $: "dollar",
  "%": "percent",
  "&": "ampersand",
  "'": "apostrophe",
  "(": "parenleft",
  ")": "parenright",
  "*": "asterisk",
  "+": "plus",
  ",": "comma",
  "-": "minus",
  ".": "period",
  "/": "slash",
  ":": "colon",
  ";": "semicolon",
  "<": "less",
  "=": "equal",
  ">": "greater",
  "?": "question",
  "@": "at",
  "[": "bracketleft",
  "\\": "backslash",
  "]": "bracketright",
  "^": "asciicircum",
  _: "underscore",
  "`": "grave",
  "{": "braceleft",
  "|": "bar",
  "}": "braceright",
  "~": "asciitilde",
};

const leftToBrowser = new Set(["Dead", "Process", "Unidentified"]);

/** Characters are typed as text, whatever keys the desktop has; all else is pressed by its name. */
export function typedBy(stroke: Stroke, { isMac }: { readonly isMac: boolean }): Typed {
  const { key, isComposing } = stroke;
  if (isComposing || leftToBrowser.has(key)) return { kind: "browser" };
  const isCharacter = [...key].length === 1;
  const { ctrlKey, altKey, metaKey, shiftKey, isAltGraph } = stroke;
  if (isCharacter) {
    const isThirdLevel = isAltGraph || (isMac && altKey && !ctrlKey && !metaKey);
    if (isThirdLevel || !(ctrlKey || altKey || metaKey)) return { kind: "text", text: key };
    if (key.toLowerCase() === "v" && (isMac ? metaKey : ctrlKey) && !altKey) return { kind: "browser" };
  }
  const name = isCharacter ? nameOfCharacter(key) : /^F\d{1,2}$/.test(key) ? key : namedKeys[key];
  if (name === undefined) return { kind: "nothing" };
  // The command key of a Mac is the control key of the desktops.
  const isControl = ctrlKey || (isMac && metaKey);
  const isShift = shiftKey && (!isCharacter || /\p{L}/u.test(key));
  const parts = [
    ...(isControl ? ["ctrl"] : []),
    ...(altKey ? ["alt"] : []),
    ...(metaKey && !isMac ? ["super"] : []),
    ...(isShift ? ["shift"] : []),
    name,
  ];
  return { kind: "keys", keys: parts.join("+") };
}

function nameOfCharacter(character: string): string {
  const lower = character.toLowerCase();
  if (/^[a-z0-9]$/.test(lower)) return lower;
  const code = lower.codePointAt(0) ?? 0;
  return characterNames[lower] ?? `U${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
