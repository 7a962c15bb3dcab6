import type { Action } from "../../../shared/domain/action/action.ts";
import type { Recording } from "./record-demo.ts";

export const smallDesk = { size: { width: 320, height: 200 } } as const;

/** A recording of actions that need no screen, so that tests with it take no time. */
export function plainRecording(actions: readonly Action[]): Recording {
  return {
    elements: actions.map((action) => ({ action, by: "replay", timeoutMs: 1_000 })),
    expect: [],
    dimensions: smallDesk.size,
  };
}

export const scroll: Action = { type: "scroll", direction: "down", amount: 1 };

export function scrolls(count: number): Recording {
  return plainRecording(Array.from({ length: count }, () => scroll));
}
