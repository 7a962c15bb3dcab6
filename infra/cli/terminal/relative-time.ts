const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** `3 min ago`, `in 2 d`: short enough for a table's column. */
export function relativeTime(atMs: number, nowMs: number): string {
  const distanceMs = Math.abs(nowMs - atMs);
  const unit = units.find(([, ms]) => distanceMs >= ms);
  if (unit === undefined) return "now";
  const [name, ms] = unit;
  const amount = `${Math.floor(distanceMs / ms)} ${name}`;
  return atMs > nowMs ? `in ${amount}` : `${amount} ago`;
}
