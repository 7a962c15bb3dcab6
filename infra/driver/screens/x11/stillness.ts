import type { Frame } from "../pictures/frame.ts";
import { areSame } from "../pictures/same-frames.ts";
import type { StillFrame, Stillness } from "../watch-screen.ts";
import type { Drawn } from "./drawn.ts";

/** No further frame is read as long as the server reports no drawing. */
export async function captureStill(options: {
  readonly drawn: Drawn;
  readonly capture: () => Promise<Frame>;
  readonly stillness: Stillness;
  readonly signal: AbortSignal;
}): Promise<StillFrame> {
  const { drawn, capture, stillness, signal } = options;
  const { settleMs, quietMs } = stillness;
  const endsAt = performance.now() + settleMs;
  drawn.forget();
  if (settleMs === 0) return { frame: await capture(), isSettled: false };
  for (let frame = await capture(); ; ) {
    const isOver = performance.now() + quietMs > endsAt;
    if (isOver) return { frame, isSettled: false };
    const hasDrawn = await drawn.within(quietMs, signal);
    if (!hasDrawn) return { frame, isSettled: true };
    drawn.forget();
    const next = await capture();
    if (areSame(frame, next)) return { frame: next, isSettled: true };
    frame = next;
  }
}
