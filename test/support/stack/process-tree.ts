import { readdirSync, readFileSync } from "node:fs";

/** Parent of every process. Source: proc_pid_stat(5), whose second field may hold blanks and brackets. */
export function parents(): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state !== "Z") found.set(Number(name), Number(parent));
    } catch {
      // The process has ended since the folder was read.
    }
  }
  return found;
}

export function descendants(pid: number): readonly number[] {
  const all = parents();
  const below = (parent: number): number[] =>
    [...all].filter(([, itsParent]) => itsParent === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}
