const socketsKnownMax = 10_000;

export function remember<T>(known: Map<string, T>, websocketId: string, value: T): void {
  if (known.size >= socketsKnownMax && !known.has(websocketId)) known.clear();
  known.set(websocketId, value);
}
