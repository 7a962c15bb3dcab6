import type { Action } from "../../../shared/domain/action/action.ts";
import type { Recording } from "./record-demo.ts";

/** Of a desk on which little has to be drawn. */
export const smallDesk = { size: { width: 320, height: 200 } } as const;

/** Actions that need no screen, so that what is tested of them takes no time. */
export function plainRecording(actions: readonly Action[]): Recording {
  return {
    elements: actions.map((action) => ({ action, by: "replay", timeoutMs: 1_000 })),
    expect: [],
    dimensions: smallDesk.size,
  };
}

export const scroll: Action = { type: "scroll", direction: "down", amount: 1 };

/** As many scrolls. */
export function scrolls(count: number): Recording {
  return plainRecording(Array.from({ length: count }, () => scroll));
}
