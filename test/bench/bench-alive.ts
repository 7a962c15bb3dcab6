/** A display in memory encodes its pictures in a thread that keeps no process alive. */
export async function staysAlive<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => undefined, 1_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
