import { readdirSync, readFileSync } from "node:fs";
import { descendants } from "../support/stack/process-tree.ts";

/** Processor time that a process, all below it, and their threads have used. Source: proc_pid_schedstat(5) */
export function processorMsOf(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, each) => sum + usedMs(each), 0);
}

/** A thread that has ended is left out. */
function usedMs(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.reduce((ms, task) => ms + threadMs(`/proc/${pid}/task/${task}/schedstat`), 0);
  } catch {
    return 0;
  }
}

function threadMs(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}
