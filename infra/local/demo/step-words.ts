export interface DemoStep {
  readonly index: number;
  readonly action: { readonly type: string; readonly target?: string; readonly text?: string };
  readonly status: string;
  readonly match: {
    readonly score: number;
    readonly waited_ms: number;
    readonly reason: string | null;
  } | null;
  readonly expected: string | null;
  readonly screenshot: unknown;
  readonly duration_ms: number | null;
}

/** Only a step that was done is reported as found. */
export function wordsOf({ index, action, status, match, duration_ms: durationMs }: DemoStep): string {
  const what = [action.type, action.target ?? action.text].filter((word) => word !== undefined).join(" ");
  const why = match === null ? "" : `, ${matchWords(match)} after ${match.waited_ms} ms`;
  return `${String(index).padStart(3)}  ${what}: ${status} in ${durationMs ?? 0} ms${why}`;
}

function matchWords({ score, reason }: NonNullable<DemoStep["match"]>): string {
  return reason === null
    ? `found with ${score.toFixed(3)}`
    : `${reason}, the place that came nearest with ${score.toFixed(3)}`;
}
