/** Prints the rows, of which the first is the head, as a table of Markdown. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const [at, row] of rows.entries()) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
    if (at === 0) console.log(`|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  }
}

/** The rows of such tables in a text, without their heads. */
export function readTable(text: string): readonly (readonly string[])[] {
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  return rows
    .slice(1)
    .map((line) => line.replace(/^\| | *\|$/g, "").split(" | "))
    .map((cells) => cells.map((cell) => cell.trim()));
}
