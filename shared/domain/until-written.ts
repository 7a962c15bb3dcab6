import type { Clock } from "./clock.ts";
import { ChangedTooOften } from "./errors.ts";

export interface Pacing {
  readonly clock: Pick<Clock, "sleep">;
  readonly random?: (() => number) | undefined;
}

/** Another writer came between reading and writing. */
export class Overtaken<State> {
  /** The state that the refused write returned; without it, the next attempt reads. */
  readonly shown: { readonly state: State } | undefined;

  constructor(shown?: { readonly state: State }) {
    this.shown = shown;
  }
}

export const overtaken = new Overtaken<never>();

export function overtakenBy<State>(state: State): Overtaken<State> {
  return new Overtaken({ state });
}

export interface ConditionalWrite<State, Outcome> {
  readonly what: string;
  readonly first?: State;
  readonly read: () => Promise<State>;
  /** Decides and writes, on the condition that the state has not changed. */
  readonly decide: (state: State) => Promise<Outcome | Overtaken<State>>;
  /** A caller with another bound says why. */
  readonly attemptsMax?: number;
}

const attemptsMaxDefault = 20;
const firstPauseMs = 25;
const longestPauseMs = 250;

/**
 * The first repeat follows at once, because most writers are overtaken only once; further ones wait between 0 and 25,
 * 50, 100 … 250 ms ("full jitter").
 *
 * @throws {ChangedTooOften}
 */
export async function untilWritten<State, Outcome>(
  { clock, random = Math.random }: Pacing,
  { what, first, read, decide, attemptsMax = attemptsMaxDefault }: ConditionalWrite<State, Outcome>,
): Promise<Outcome> {
  let state: State = first ?? (await read());
  let ceilingMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await decide(state);
    if (!(outcome instanceof Overtaken)) return outcome;
    if (attempt === attemptsMax) throw new ChangedTooOften(what);
    if (ceilingMs > 0) await clock.sleep(Math.floor(random() * ceilingMs));
    ceilingMs = Math.min(ceilingMs * 2 || firstPauseMs, longestPauseMs);
    state = outcome.shown ? outcome.shown.state : await read();
  }
}
