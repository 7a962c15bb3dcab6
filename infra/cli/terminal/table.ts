import truncatedWidth from "fast-string-truncated-width";

export type Row = readonly string[];

const gap = "  ";
const ellipsis = "…";
/** A narrower column says nothing. */
const narrowest = 10;

/**
 * Columns as wide as their texts; where they do not fit, the last are left out and the widest give way. The first one,
 * which names the row, stays whole: it is what is copied.
 *
 * @param columns is the terminal's width.
 */
export function tableLines(header: Row, rows: readonly Row[], columns = Number.POSITIVE_INFINITY): string[] {
  const lines = [header, ...rows];
  const [first = 0, ...others] = header.map((_, at) =>
    Math.max(...lines.map((line) => widthOf(line[at] ?? ""))),
  );
  const widths = [first, ...fitted(others, columns - first)];
  return lines.map((line) =>
    widths
      .map((width, at) => padded(line[at] ?? "", width))
      .join(gap)
      .trimEnd(),
  );
}

function fitted(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
  const leastOf = () => sumOf(widths.map((width) => gap.length + Math.min(width, narrowest)));
  while (widths.length > 1 && leastOf() > room) widths.pop();
  let excess = sumOf(widths) + gap.length * widths.length - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
    excess -= 1;
  }
  return widths;
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

function padded(text: string, width: number): string {
  const found = truncatedWidth(text, { limit: width, ellipsis, ellipsisWidth: 1 });
  const shown = found.truncated ? `${text.slice(0, found.index)}${found.ellipsed ? ellipsis : ""}` : text;
  return shown + " ".repeat(Math.max(0, width - widthOf(shown)));
}

function widthOf(text: string): number {
  return truncatedWidth(text).width;
}
