const pollMs = 500;

/**
 * Calls back once when the process that started this one has ended. npm hands SIGINT and SIGTERM on to what it
 * runs, SIGHUP not, and nothing once it was killed; the system gives an orphan another parent.
 */
export function watchParent(onEnd: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, pollMs);
  timer.unref();
}
