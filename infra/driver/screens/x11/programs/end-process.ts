/** Ignores a process that has ended or is another user's. @param pid is a group where it is negative. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  if (pid === process.pid) return;
  try {
    process.kill(pid, signal);
  } catch {
    // The caller checks afterwards what still runs.
  }
}

export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EPERM";
  }
}
