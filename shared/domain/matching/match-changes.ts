import type { OrganizationId } from "../organization-id.ts";
import { inQueueOrder } from "../run/waiting/queue-entry.ts";
import { type Target, targetText } from "../run/waiting/target.ts";
import { endChainQueue, endSessionQueue } from "./cancel-waiting.ts";
import type { MatchDeps } from "./match-deps.ts";
import { atOnceMax, IdleRowsLeft, MatchRound, ShareUsedUp } from "./match-round.ts";
import type { MatchChange, MatchTrigger } from "./match-trigger.ts";
import { anyIdle } from "./organization-limit.ts";
import { entryOfSession } from "./queue-places.ts";
import { serveLine } from "./serve-line.ts";
import { serveMachine } from "./serve-machine.ts";
import { serveRefused } from "./serve-refused.ts";
import { serveSession, serveTarget } from "./serve-target.ts";
import { Turns } from "./turns.ts";

type QueuedTrigger = Extract<MatchChange, { readonly kind: "queued" }>;
type EndedTrigger = Extract<MatchChange, { readonly kind: "execution_ended" }>;

interface Together {
  readonly queued: Map<string, QueuedTrigger[]>;
  readonly ended: Map<string, EndedTrigger[]>;
}

interface Task {
  readonly organizationId: OrganizationId;
  readonly triggers: Set<MatchTrigger>;
  readonly act: (round: MatchRound) => Promise<void>;
  /** The change after which another round does the rest of this one's work. */
  readonly rest: (round: MatchRound, idleAfter?: string) => MatchChange;
}

/**
 * Handles the triggers of the organizations in turn; work above an organization's share is left to an event of its own.
 * Safe to run repeatedly, late, out of order or concurrently.
 *
 * @param deadlineMs is the invocation's end, in ms since the epoch; work stops 3 s before.
 * @returns the failed triggers with their causes.
 */
export async function matchChanges(
  deps: MatchDeps,
  triggers: readonly MatchTrigger[],
  deadlineMs: number,
  changedAtMs?: number,
): Promise<ReadonlyMap<MatchTrigger, unknown>> {
  const round = new MatchRound({ clock: deps.clock, deadlineMs, changedAtMs, share: deps.share });
  const failed = new Map<MatchTrigger, unknown>();
  const fail = ({ triggers }: Task, cause: unknown): void => {
    for (const trigger of triggers) {
      const causes = failed.has(trigger) ? [failed.get(trigger), cause] : [cause];
      failed.set(trigger, causes.length > 1 ? new AggregateError(causes, "several tasks failed") : cause);
    }
  };
  const left = new Map<OrganizationId, { readonly task: Task; readonly idleAfter?: string }[]>();
  const leave = (task: Task, idleAfter?: string): void => {
    const others = left.get(task.organizationId) ?? [];
    left.set(task.organizationId, [...others, { task, ...(idleAfter !== undefined && { idleAfter }) }]);
  };
  const turns = new Turns<Task>();
  for (const task of tasksOf(deps, triggers)) turns.push(task.organizationId, task);
  const work = async (): Promise<void> => {
    for (let task = turns.shift(); task !== undefined; task = turns.shift()) {
      try {
        round.requireShare(task.organizationId);
        await task.act(round);
      } catch (cause) {
        if (cause instanceof ShareUsedUp) leave(task);
        else if (cause instanceof IdleRowsLeft) leave(task, cause.after);
        else fail(task, cause);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  for (const [organizationId, tasks] of left) {
    try {
      await deps.matches.leave(
        organizationId,
        tasks.map(({ task, idleAfter }) => task.rest(round, idleAfter)),
      );
    } catch (cause) {
      for (const { task } of tasks) fail(task, cause);
    }
  }
  const freed = triggers.filter(({ kind }) => kind === "place_freed");
  try {
    // The machines that became free with the places come first: who has a use for them is in the line then.
    if (freed.length > 0) await serveLine(deps, deadlineMs);
  } catch (cause) {
    for (const trigger of freed) failed.set(trigger, cause);
  }
  return failed;
}

function tasksOf(deps: MatchDeps, triggers: readonly MatchTrigger[]): Iterable<Task> {
  const tasks = new Map<string, Task>();
  const together: Together = { queued: new Map(), ended: new Map() };
  for (const trigger of triggers) {
    if (trigger.kind === "place_freed") continue;
    for (const change of trigger.kind === "left" ? trigger.changes : [trigger]) {
      const { organizationId } = change;
      const { key, act, rest = () => change } = taskOf(deps, change, together);
      const task = tasks.get(key) ?? { organizationId, triggers: new Set<MatchTrigger>(), act, rest };
      task.triggers.add(trigger);
      tasks.set(key, task);
    }
  }
  return tasks.values();
}

function taskOf(
  deps: MatchDeps,
  trigger: MatchChange,
  together: Together,
): { readonly key: string; readonly act: Task["act"]; readonly rest?: Task["rest"] } {
  const { organizationId } = trigger;
  const keyOf = (what: string) => `${organizationId} ${what}`;
  switch (trigger.kind) {
    case "queued": {
      const { target } = trigger.entry;
      const key = keyOf(targetText(target));
      const triggers = added(together.queued, key, trigger);
      // Once the youngest entry is placed, or no machine is left, all earlier entries have had their turn.
      const youngest = (round: MatchRound) =>
        triggers
          .map(({ entry }) => entry)
          .filter((entry) => !round.isPlaced(entry))
          .sort(inQueueOrder)
          .at(-1) ?? trigger.entry;
      return {
        key,
        act: (round) => {
          const entries = triggers.map(({ entry }) => entry);
          return serveTarget(deps, round, organizationId, target, entries, readSoFar(triggers));
        },
        rest: (round, idleAfter = readSoFar(triggers)) => {
          const entry = youngest(round);
          return { kind: "queued", organizationId, entry, ...(idleAfter !== undefined && { idleAfter }) };
        },
      };
    }
    case "execution_ended": {
      const key = keyOf("executions");
      const triggers = added(together.ended, key, trigger);
      const refused = () => [...new Set(triggers.flatMap((one) => one.refused))];
      return {
        key,
        act: async (round) =>
          void (await serveRefused(deps, round, organizationId, refused(), readSoFar(triggers))),
        // Reserved machines come before idle ones.
        rest: (_, idleAfter) =>
          idleAfter === undefined
            ? { ...trigger, refused: refused() }
            : { kind: "execution_ended", organizationId, refused: [anyIdle], idleAfter },
      };
    }
    case "machine_changed": {
      const { machineId } = trigger;
      const target: Target = { kind: "machine", machineId };
      return {
        key: keyOf(targetText(target)),
        act: async (round) => void (await serveMachine(deps, round, { organizationId, machineId })),
      };
    }
    case "pool_left": {
      const { machineId, poolId } = trigger;
      const act = () => deps.matches.unmarkLeftPool(organizationId, machineId, poolId);
      return { key: keyOf(`machine ${machineId} without pool ${poolId}`), act };
    }
    case "session_ended": {
      const { sessionId } = trigger;
      const act = (round: MatchRound) => finishSession(deps, round, organizationId, sessionId);
      return { key: keyOf(`end of session ${sessionId}`), act };
    }
    case "chain_stopped": {
      const { sessionId, chainId } = trigger;
      const act = (round: MatchRound) => finishChain(deps, round, organizationId, sessionId, chainId);
      return { key: keyOf(`end of chain ${chainId}`), act };
    }
  }
}

function added<T>(all: Map<string, T[]>, key: string, trigger: T): readonly T[] {
  const triggers = all.get(key) ?? [];
  triggers.push(trigger);
  all.set(key, triggers);
  return triggers;
}

function readSoFar(triggers: readonly (QueuedTrigger | EndedTrigger)[]): string | undefined {
  const read = triggers.map(({ idleAfter }) => idleAfter);
  return read.includes(undefined) ? undefined : read.sort()[0];
}

/** Releases the machine first, because other runs wait for it and the release triggers matching. */
async function finishSession(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  sessionId: string,
): Promise<void> {
  const { session } = await deps.matches.sessionQueue(organizationId, sessionId, 1);
  if (session !== undefined && session.status !== "ended") return;
  if (session !== undefined) {
    const { machineId } = session;
    if (machineId !== null) await deps.matches.releaseReservation(organizationId, machineId, sessionId);
    await deps.matches.removeEntry(entryOfSession(session));
  }
  await endSessionQueue(deps, round, organizationId, sessionId);
}

/** Removes the mark last, so that no step begins before all are cancelled. */
async function finishChain(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  sessionId: string,
  chainId: string,
): Promise<void> {
  await endChainQueue(deps, round, organizationId, { sessionId, chainId });
  await deps.matches.removeStoppedChain(organizationId, sessionId, chainId);
  await serveSession(deps, round, organizationId, sessionId);
}
