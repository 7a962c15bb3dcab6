/** @param pid negative: of a group. One that has ended meanwhile, or is another user's, is left as it is. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  if (pid === process.pid) return;
  try {
    process.kill(pid, signal);
  } catch {
    // What is still open is found so afterwards.
  }
}

export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Another user's is there, and may not be signalled.
    return (error as NodeJS.ErrnoException).code !== "EPERM";
  }
}
