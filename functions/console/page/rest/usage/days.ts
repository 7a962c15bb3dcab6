const dayMs = 86_400_000;

/** The last days in UTC, today among them, as the API's dates. */
export function lastDays(
  count: number,
  nowMs: number,
): { readonly from_date: string; readonly to_date: string } {
  return { from_date: dateOf(nowMs - (count - 1) * dayMs), to_date: dateOf(nowMs) };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, "2026-01-31".length);
}
