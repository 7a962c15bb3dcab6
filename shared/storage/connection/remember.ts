/** Sockets that one instance remembers. */
const socketsKnownMax = 10_000;

/** Of a socket; all are forgotten when they are too many. */
export function remember<T>(known: Map<string, T>, websocketId: string, value: T): void {
  if (known.size >= socketsKnownMax && !known.has(websocketId)) known.clear();
  known.set(websocketId, value);
}
