import type { Context } from "../program/context.ts";
import { printable } from "../terminal/printable.ts";
import { styled } from "../terminal/style.ts";
import { tableLines } from "../terminal/table.ts";
import { cellOf } from "./cell.ts";
import { columnsFor } from "./columns.ts";

type Shown = Pick<Context, "terminal" | "form">;
type Item = Readonly<Record<string, unknown>>;

/** Shows the body of a response as was asked for. @param operationId decides a table's columns. */
export function show(context: Shown, body: unknown, operationId = ""): void {
  const { terminal, form } = context;
  if (body === undefined) return;
  const items = itemsOf(body);
  if (form === "json") terminal.out(`${JSON.stringify(body, null, 2)}\n`);
  else if (form === "lines") terminal.out(linesOf(items ?? [body]));
  else if (items === undefined) terminal.out(fieldLines(body, terminal.hasColour));
  else showList(context, body, items, operationId);
}

/** A table of items for people. */
export function showItems({ terminal }: Shown, items: readonly Item[], columns: readonly string[]): void {
  const { columns: width, hasColour } = terminal;
  const nowMs = width === undefined ? undefined : terminal.now();
  if (items.length === 0) {
    terminal.err("none\n");
    return;
  }
  const header = columns.map((name) =>
    name
      .replace(/^is_|_at$/g, "")
      .replaceAll("_", " ")
      .toUpperCase(),
  );
  const rows = items.map((item) => columns.map((name) => cellOf(item[name], nowMs)));
  const [first = "", ...lines] = tableLines(header, rows, width);
  terminal.out(`${[styled("bold", first, hasColour), ...lines].join("\n")}\n`);
}

function showList(context: Shown, body: unknown, items: readonly unknown[], operationId: string): void {
  const { terminal } = context;
  if (items.every(isItem)) showItems(context, items, columnsFor(operationId, items));
  else terminal.out(items.map((item) => `${cellOf(item, undefined)}\n`).join(""));
  const { total } = body as { readonly total?: number };
  if (typeof total === "number" && total > items.length) {
    terminal.err(`${items.length} of ${total}; --all shows the rest\n`);
  }
}

function linesOf(items: readonly unknown[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join("");
}

function fieldLines(body: unknown, hasColour: boolean): string {
  if (!isItem(body)) return `${cellOf(body, undefined)}\n`;
  const entries = Object.entries(body);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  // Further lines of a text stand below its first.
  const indent = `\n${" ".repeat(width + 2)}`;
  return entries
    .map(([name, value]) => {
      const text =
        typeof value === "string" ? printable(value, { keepsLines: true }) : cellOf(value, undefined);
      return `${styled("bold", name.padEnd(width), hasColour)}  ${text.replaceAll("\n", indent)}\n`;
    })
    .join("");
}

function itemsOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  const { items } = (body ?? {}) as { readonly items?: unknown };
  return Array.isArray(items) ? items : undefined;
}

function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
