import type { MatchDeps } from "../../matching/match-deps.ts";
import { OutOfTime } from "../../matching/match-round.ts";
import { serveLine } from "../../matching/serve-line.ts";
import { servingMs } from "./serve-again.ts";

/** Corrects the places of all organizations' executions, and serves the line in case an event was lost. */
export async function servePlaces(deps: MatchDeps): Promise<number> {
  const { servicePlaces, clock } = deps;
  if (servicePlaces === undefined) return 0;
  const corrections = await servicePlaces.recount();
  try {
    await serveLine(deps, clock.now() + servingMs);
  } catch (cause) {
    // The next minute continues.
    if (!(cause instanceof OutOfTime)) throw cause;
  }
  return corrections;
}
