import { printable } from "../terminal/printable.ts";
import { relativeTime } from "../terminal/relative-time.ts";

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** One line. Programs that read the table get times as they are. */
export function cellOf(value: unknown, nowMs: number | undefined): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return "-";
  if (Array.isArray(value) && value.every((each) => typeof each !== "object"))
    return printable(value.join(", "));
  if (typeof value === "object") return printable(JSON.stringify(value));
  const text = String(value);
  return nowMs !== undefined && isoTime.test(text) ? relativeTime(Date.parse(text), nowMs) : printable(text);
}
