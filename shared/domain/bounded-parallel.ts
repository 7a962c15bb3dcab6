/** Ten concurrent calls hide the network's latency, and stay far below every limit of the services called. */
const workersMax = 10;

const readersMax = 20;

/** A failure does not keep the other items from being tried. @throws {AggregateError} of all failures, at the end */
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

/** Reads twenty items at a time, in order. @throws the first failure, after which no further items are read */
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
