import { forEachBounded } from "../bounded-parallel.ts";
import type { Clock } from "../clock.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { ChangeOf } from "./change.ts";
import type { HintStore } from "./hint-store.ts";
import { viewersRememberedMs } from "./viewer.ts";
import type { ViewerStore } from "./viewer-store.ts";

/** The work of a turn, which an invocation of its own does. */
export interface HintsDue {
  readonly hints: OrganizationId;
}

export interface NoteChangesDeps {
  readonly watched: Pick<WatchedOrganizations, "isWatched">;
  readonly hints: Pick<HintStore, "note">;
  readonly hintHelper: { start(work: HintsDue): Promise<void> };
}

/**
 * Notes the changes of each organization that has viewers, one write an organization, and starts its turn unless one is
 * under way. An organization without viewers is a read that is remembered. Repeated, it sends a hint twice.
 */
export async function noteChanges(deps: NoteChangesDeps, changes: readonly ChangeOf[]): Promise<void> {
  const groups = Map.groupBy(changes, ({ organizationId }) => organizationId);
  await forEachBounded([...groups], async ([organizationId, group]) => {
    if (!(await deps.watched.isWatched(organizationId))) return;
    if (await deps.hints.note(organizationId, group)) return;
    await deps.hintHelper.start({ hints: organizationId });
  });
}

const organizationsKnownMax = 1_000;

interface Known {
  readonly untilMs: number;
  readonly isWatched: Promise<boolean>;
}

/** An instance's memory of which organizations have viewers. */
export class WatchedOrganizations {
  readonly #viewers: Pick<ViewerStore, "hasAny">;
  readonly #clock: Pick<Clock, "now">;
  readonly #known = new Map<OrganizationId, Known>();

  constructor(deps: { readonly viewers: Pick<ViewerStore, "hasAny">; readonly clock: Pick<Clock, "now"> }) {
    this.#viewers = deps.viewers;
    this.#clock = deps.clock;
  }

  async isWatched(organizationId: OrganizationId): Promise<boolean> {
    const nowMs = this.#clock.now();
    const known = this.#known.get(organizationId);
    if (known !== undefined && nowMs < known.untilMs) return await known.isWatched;
    if (this.#known.size >= organizationsKnownMax) this.#known.clear();
    const isWatched = this.#viewers.hasAny(organizationId);
    this.#known.set(organizationId, { untilMs: nowMs + viewersRememberedMs, isWatched });
    isWatched.catch(() => this.#known.delete(organizationId));
    return await isWatched;
  }
}
