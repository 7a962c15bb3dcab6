import { readFileSync } from "node:fs";
import { descendants } from "../support/stack/process-tree.ts";

export interface Memory {
  readonly pssMb: number;
  readonly rssMb: number;
}

/** Memory of a process and of all below it. Source: https://docs.kernel.org/filesystems/proc.html, smaps_rollup */
export function memoryOf(pid: number): Memory {
  const read = [pid, ...descendants(pid)].map((each) => {
    try {
      return readFileSync(`/proc/${each}/smaps_rollup`, "utf8");
    } catch {
      return "";
    }
  });
  const sum = (name: string) =>
    read.reduce((kb, text) => kb + Number(new RegExp(`^${name}: +(\\d+)`, "m").exec(text)?.[1] ?? 0), 0) /
    1_024;
  return { pssMb: sum("Pss"), rssMb: sum("Rss") };
}
