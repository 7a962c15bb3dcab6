export interface LiteralStyle {
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  readonly quotedKey: (name: string) => string;
  readonly indent: string;
  /** Between an object's braces and what is between them on one line. */
  readonly padding: string;
}

const widthMax = 80;

/** A JSON value as a program writes it, on one line where it fits. @param column is where it begins. */
export function literal(value: unknown, style: LiteralStyle, depth = 0, column = 0): string {
  if (typeof value === "boolean" || value === null) return style.words[`${value}`];
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Array.isArray(value)
    ? value.map((each): [string, unknown] => ["", each])
    : Object.entries(value as object).map(([name, each]): [string, unknown] => [
        `${style.quotedKey(name)}: `,
        each,
      ]);
  const [open, close, padding] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", style.padding];
  if (entries.length === 0) return open + close;
  const flat = entries.map(([key, each]) => `${key}${literal(each, style, 0, Number.NEGATIVE_INFINITY)}`);
  const line = `${open}${padding}${flat.join(", ")}${padding}${close}`;
  if (column + line.length <= widthMax) return line;
  const inner = style.indent.repeat(depth + 1);
  const lines = entries.map(
    ([key, each]) => `${inner}${key}${literal(each, style, depth + 1, inner.length + key.length + 1)},\n`,
  );
  return `${open}\n${lines.join("")}${style.indent.repeat(depth)}${close}`;
}
