/** What the release before would miss in a row of today: attributes that are gone, and those of another type. */
export function missedBy(before: unknown, today: unknown, path = ""): readonly string[] {
  if (typeOf(before) !== typeOf(today)) return [`${path}: ${typeOf(before)} is ${typeOf(today)}`];
  if (typeOf(before) !== "object") return [];
  const now = today as Readonly<Record<string, unknown>>;
  return Object.entries(before as object).flatMap(([name, value]) =>
    name in now ? missedBy(value, now[name], `${path}.${name}`) : [`${path}.${name}: is gone`],
  );
}

/** Elements of arrays are data: what they are like is the reader's, which reads them in the other test. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
