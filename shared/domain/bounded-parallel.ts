/** Enough to hide the network's latency, and far from any limit of the services called. */
const workersMax = 10;

/** Objects that one request reads at the same time. */
const readersMax = 20;

/**
 * Processes the items, so many at a time; a failure does not keep the others from being tried.
 *
 * @returns how many succeeded.
 * @throws {AggregateError} of all failures, after the last item.
 */
export async function forEachBounded<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  atOnce = workersMax,
): Promise<number> {
  const failures: unknown[] = [];
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) {
      try {
        await act(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} of ${items.length} items failed`);
  }
  return items.length;
}

/**
 * Returns the results of `read` for the items, in order, reading twenty at a time.
 *
 * @throws the first failure; items after those twenty are not read then.
 */
export async function mapBounded<T, Result>(
  items: readonly T[],
  read: (item: T) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += readersMax) {
    results.push(...(await Promise.all(items.slice(start, start + readersMax).map(read))));
  }
  return results;
}
