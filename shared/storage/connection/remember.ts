/** Sockets that one instance remembers. */
const socketsKnownMax = 10_000;

/** Remembers a value for a socket; the memory is cleared when full. */
export function remember<T>(known: Map<string, T>, websocketId: string, value: T): void {
  if (known.size >= socketsKnownMax && !known.has(websocketId)) known.clear();
  known.set(websocketId, value);
}
