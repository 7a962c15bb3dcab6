import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const sampleMs = 8;
const samplesAtRest = 2;
/** A program that processes its input for longer is not waited for. */
const restMsMax = 1_000;

/** `turns` counts how often each thread of a process got a core. */
interface Sample {
  readonly turns: string;
  readonly isAsleep: boolean;
}

/**
 * The X server's write to its socket makes a thread runnable, so one that sleeps and has not run since has read
 * what was sent.
 *
 * @returns false where rest cannot be detected.
 */
export async function untilAtRest(pid: number, sync: () => Promise<void>): Promise<boolean> {
  if (pid === process.pid) return false;
  const until = performance.now() + restMsMax;
  let last = await sampleOf(pid);
  for (let same = 0; last !== undefined && performance.now() < until; ) {
    await sleep(sampleMs);
    await sync();
    const next = await sampleOf(pid);
    same = next?.isAsleep === true && last.isAsleep && next.turns === last.turns ? same + 1 : 0;
    if (same === samplesAtRest) return true;
    last = next;
  }
  return false;
}

/** Source: https://docs.kernel.org/scheduler/sched-stats.html, "/proc/<pid>/schedstat"; proc_pid_stat(5). */
async function sampleOf(pid: number): Promise<Sample | undefined> {
  try {
    const threads = await readdir(`/proc/${pid}/task`);
    const read = await Promise.all(threads.map((thread) => sampleThread(`/proc/${pid}/task/${thread}`)));
    return {
      turns: read.map(({ turns }) => turns).join(),
      isAsleep: read.every(({ isAsleep }) => isAsleep),
    };
  } catch {
    // The process ended, or the system has no such files.
    return undefined;
  }
}

async function sampleThread(folder: string): Promise<Sample> {
  const [stat, schedstat] = await Promise.all([
    readFile(`${folder}/stat`, "latin1"),
    readFile(`${folder}/schedstat`, "latin1"),
  ]);
  // The name before the state is in parentheses and may hold any character.
  const state = stat.charAt(stat.lastIndexOf(")") + 2);
  return { turns: schedstat.trim().split(" ")[2] ?? "", isAsleep: state === "S" || state === "I" };
}
