const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Such as "3 minutes ago", or "in 2 hours". */
export function relativeTime(atMs: number, nowMs: number): string {
  const difference = atMs - nowMs;
  const [unit, ms] = units.find(([, each]) => Math.abs(difference) >= each) ?? ["second", 1_000];
  return words.format(Math.trunc(difference / ms), unit);
}

/**
 * The time that a text is relative to: the one that all texts of the page share, which is up to a few seconds old, but
 * none before what has already happened.
 */
export function nowFor(atMs: number, sharedMs: number, nowMs: number): number {
  return Math.max(sharedMs, Math.min(atMs, nowMs));
}

/** Such as "1 h 4 min", "12.3 s". */
export function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
