import { forEachBounded } from "../bounded-parallel.ts";
import type { Clock, Ids } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Change } from "./change.ts";
import type { Hint } from "./hint.ts";
import type { HintStore } from "./hint-store.ts";
import type { NoteChangesDeps } from "./note-changes.ts";
import { type ReadHintsDeps, readHints, type TopicHint } from "./read-hints.ts";
import type { SeatedViewer } from "./viewer.ts";
import type { ViewerStore } from "./viewer-store.ts";

export interface ViewerChannel {
  /** Sends hints in order, until one fails: `gone` is a socket that is closed, `missed` one that takes no more now. */
  send(websocketId: string, hints: readonly Hint[]): Promise<"sent" | "missed" | "gone">;
  disconnect(websocketId: string): Promise<void>;
}

export interface SendHintsDeps extends ReadHintsDeps, Pick<NoteChangesDeps, "hintHelper"> {
  readonly hints: HintStore;
  readonly viewers: Pick<ViewerStore, "list" | "remove">;
  readonly viewerChannel: ViewerChannel;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** One hint a second for each resource and topic. */
const everyMs = 1_000;

/** The projector's invocation has a minute, of which a round may take some seconds. */
const turnMs = 30_000;

const viewersAtOnce = 20;

/** A viewer of more changes than these reads anew, which costs less than as many messages. */
const hintsOfViewerMax = 50;

/** All viewers of an organization share these messages of a round, so that a round takes the gateway a fraction of a second. */
const messagesPerRoundMax = 200;

/** A round that takes longer sends no more: the viewers left miss their hints. */
const roundMs = 5_000;

/** A viewer that misses hints in as many rounds is disconnected; it connects again, and reads anew. */
const missedMax = 5;

/**
 * Sends hints of an organization's changes until none is left, in rounds a second apart, which nothing else does at the
 * same time. A change is forgotten once its hints were sent: after a crash, the next turn sends them again.
 */
export async function sendHints(deps: SendHintsDeps, organizationId: OrganizationId): Promise<void> {
  const turn = deps.ids.uuid7();
  try {
    await takeTurn(deps, organizationId, turn);
  } catch (cause) {
    // Whoever is started next need not wait for the end of the lease.
    await deps.hints.end(organizationId, turn, true);
    throw cause;
  }
}

async function takeTurn(deps: SendHintsDeps, organizationId: OrganizationId, turn: string): Promise<void> {
  const { hints, clock } = deps;
  const untilMs = clock.now() + turnMs;
  let pending = await hints.begin(organizationId, turn);
  while (pending) {
    if (pending.changes.length === 0 && (await hints.end(organizationId, turn))) return;
    if (clock.now() >= untilMs) {
      if (await hints.end(organizationId, turn, true)) await deps.hintHelper.start({ hints: organizationId });
      return;
    }
    const waitMs = pending.notBeforeMs - clock.now();
    if (pending.changes.length === 0 || waitMs > 0) {
      await clock.sleep(Math.max(0, waitMs));
      pending = await hints.goOn(organizationId, turn);
      if (!pending || pending.changes.length === 0) continue;
    }
    const notBeforeMs = clock.now() + everyMs;
    const sent = await sendRound(deps, organizationId, pending.changes);
    pending = await hints.goOn(organizationId, turn, { changes: sent, notBeforeMs });
  }
}

/** Returns the changes of which all has been sent. */
async function sendRound(
  deps: SendHintsDeps,
  organizationId: OrganizationId,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const untilMs = deps.clock.now() + roundMs;
  const viewers = await deps.viewers.list(organizationId);
  const watched = new Set(viewers.flatMap(({ topics }) => topics));
  const { hints, unsettled } = await readHints(deps, organizationId, changes, watched);
  const missed: Change[] = [];
  const hintsMax = Math.max(1, Math.min(hintsOfViewerMax, Math.floor(messagesPerRoundMax / viewers.length)));
  await forEachBounded(
    viewers,
    async (viewer) => {
      const before = changes.filter(({ kind, id }) => kind === "missed" && id === viewer.id);
      const hasMissed = before.length > 0 || changes.some(({ kind }) => kind === "all");
      const own = hintsOf(viewer, hints, { hasMissed, hintsMax });
      if (own.length === 0) return;
      const isLate = deps.clock.now() >= untilMs;
      const outcome = isLate ? "missed" : await deps.viewerChannel.send(viewer.websocketId, own);
      if (outcome === "sent") return;
      const times = Math.max(0, ...before.map(({ mark }) => Number.parseInt(mark, 10))) + 1;
      if (outcome === "gone" || times > missedMax) return await drop(deps, viewer, outcome);
      missed.push({ kind: "missed", id: viewer.id, mark: `${times}:${deps.ids.uuid7()}` });
    },
    viewersAtOnce,
  );
  if (missed.length > 0) await deps.hints.note(organizationId, missed);
  return changes.filter((change) => !unsettled.includes(change));
}

function hintsOf(
  { topics }: SeatedViewer,
  hints: readonly TopicHint[],
  { hasMissed, hintsMax }: { readonly hasMissed: boolean; readonly hintsMax: number },
): readonly Hint[] {
  const own = hints.filter((each) => each.topics.some((topic) => topics.includes(topic)));
  if (topics.length > 0 && (hasMissed || own.length > hintsMax)) return [{ kind: "missed" }];
  return own.map(({ hint }) => hint);
}

async function drop(
  { viewers, viewerChannel, logger }: SendHintsDeps,
  viewer: SeatedViewer,
  outcome: "missed" | "gone",
): Promise<void> {
  if (outcome === "missed") {
    logger.warn("a viewer took no hints and is disconnected", { organization_id: viewer.organizationId });
    await viewerChannel.disconnect(viewer.websocketId);
  }
  await viewers.remove(viewer);
}
