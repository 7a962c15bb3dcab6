import truncatedWidth from "fast-string-truncated-width";
import { printable } from "../terminal/printable.ts";
import type { FollowedRun } from "./follow-run.ts";

const barWidth = 24;

/** One line, shorter than the terminal is wide: a longer one could not be taken back. */
export function barLine({ status, held, progress }: FollowedRun, columns: number): string {
  if (status !== "running" || progress === null) return "";
  const { step, of, last_action } = progress;
  const share = Math.min(1, step / of);
  const filled = Math.round(share * barWidth);
  const bar = `[${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${step}/${of}`;
  const text = `${bar} ${held === null ? printable(last_action) : "held"}`;
  const { index, truncated } = truncatedWidth(text, { limit: columns - 1, ellipsis: "" });
  return truncated ? text.slice(0, index) : text;
}
