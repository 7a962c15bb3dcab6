import type { RunStep } from "../../../shared/contract/run/run-step.ts";

type ToldStep = Pick<RunStep, "index" | "action" | "status" | "match" | "error" | "duration_ms">;

/** A step that was not done has no score: it would say how well a place fits that nobody clicked. */
export function wordsOf({ index, action, status, match, error, duration_ms: durationMs }: ToldStep): string {
  const what = [action.type, action.target ?? action.text].filter((word) => word !== undefined).join(" ");
  const found = match === null ? "" : `, found with ${match.score.toFixed(3)} after ${match.waited_ms} ms`;
  const why = status === "done" ? found : `: ${error ?? match?.reason ?? "nobody knows why"}`;
  return `${String(index).padStart(3)}  ${what}: ${status} in ${durationMs ?? 0} ms${why}`;
}
