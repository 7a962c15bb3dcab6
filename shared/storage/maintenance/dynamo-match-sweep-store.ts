import { randomUUID } from "node:crypto";
import { isoTimestamp } from "../../domain/clock.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import type {
  LiveMachine,
  MatchSweepStore,
  SweptPage,
} from "../../domain/maintenance/matching/match-sweep-store.ts";
import { entryOfRun, entryOfSession } from "../../domain/matching/queue-places.ts";
import { isRunEntry, type QueueEntry, type WaitingRunEntry } from "../../domain/run/waiting/queue-entry.ts";
import type { Session } from "../../domain/session/session.ts";
import { parseConnection } from "../connection/connection-item.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { enqueueWrite, entryKey, parseIdle, registerPoolSetWrite } from "../queue/queue-rows.ts";
import { lightAttributes, parseRun } from "../run/run-item.ts";
import { isPendingAsSeen, parseSession } from "../session/session-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";

import { check, isLiving, type Write } from "../table/expression.ts";
import {
  createdRange,
  type DueListing,
  duePartition,
  duePartitions,
  dueSortKey,
} from "../table/index-keys.ts";
import { type Key, keyOfItem } from "../table/item.ts";
import { idleKey, machineKey, queueRange, runKey, sessionKey } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";

const waitingRows = 25;
const liveRows = 50;

export class DynamoMatchSweepStore extends DynamoStore implements MatchSweepStore {
  async waitingRuns(position: string | null, untilMs: number): Promise<SweptPage<WaitingRunEntry>> {
    const { to = "" } = createdRange(undefined, untilMs);
    const page = await this.#shards(position, "WAITING#RUN", waitingRows, to);
    const runs = (await this.table.batchGet(page.items, lightAttributes())).map(parseRun);
    const waiting = runs.filter(({ status, deletedAt }) => status === "scheduling" && deletedAt === null);
    return { items: waiting.map(entryOfRun).filter(isRunEntry), position: page.position };
  }

  async restorePlaces(entries: readonly WaitingRunEntry[]): Promise<number> {
    const isThere = await this.#findThere(entries.map(entryKey));
    let restored = 0;
    for (const entry of entries.filter((one) => !isThere(entryKey(one)))) {
      if (await this.#restore(entry, stillWaits(entry))) restored += 1;
    }
    const sessions = await this.#pendingSessions(entries);
    const places = sessions.map((session) => ({ session, place: entryOfSession(session) }));
    const isPlaced = await this.#findThere(places.map(({ place }) => entryKey(place)));
    for (const { session, place } of places.filter((one) => !isPlaced(entryKey(one.place)))) {
      if (await this.#restore(place, stillPending(session))) restored += 1;
    }
    return restored;
  }

  async liveMachines(position: string | null): Promise<SweptPage<LiveMachine>> {
    const page = await this.#shards(position, "LIVE", liveRows);
    // A connection's machine never changes.
    const connections = (await this.table.batchGet(page.items, undefined, false)).map(parseConnection);
    const byMachine = new Map(connections.map((one) => [`${one.organizationId} ${one.machineId}`, one]));
    return { items: await this.#readMachines([...byMachine.values()], false), position: page.position };
  }

  async readAgain(machines: readonly LiveMachine[]): Promise<readonly LiveMachine[]> {
    const names = machines.map(({ machine: { organizationId, id } }) => ({ organizationId, machineId: id }));
    return await this.#readMachines(names, true);
  }

  async #readMachines(
    names: readonly Pick<Connection, "organizationId" | "machineId">[],
    isConsistent: boolean,
  ): Promise<readonly LiveMachine[]> {
    const keys = names.map(({ organizationId, machineId }) => ({
      machine: machineKey(organizationId, machineId),
      idle: idleKey(organizationId, undefined, machineId),
    }));
    const read = async (some: readonly Key[]) => await this.table.batchGet(some, undefined, isConsistent);
    const [machines, rows] = await Promise.all([
      read(keys.map(({ machine }) => machine)),
      read(keys.map(({ idle }) => idle)),
    ]);
    const idle = new Map(
      rows.map((row) => {
        const parsed = parseIdle(row);
        return [`${parsed.organizationId} ${parsed.machineId}`, parsed];
      }),
    );
    return machines.map(parseMachine).map((machine) => ({
      machine,
      idle: idle.get(`${machine.organizationId} ${machine.id}`),
    }));
  }

  async isInUse({ organizationId, id, machineId }: Session): Promise<boolean> {
    const rows = { partition: sessionKey(organizationId, id).pk, ...queueRange };
    const [waiting, machine] = await Promise.all([
      queryItems(this.table, rows, 1),
      machineId === null ? undefined : this.table.get(machineKey(organizationId, machineId)),
    ]);
    return (
      waiting.length > 0 || (machine?.reserved_session_id === id && machine.current_run_id !== undefined)
    );
  }

  async postpone({ organizationId, id, usedAt }: Session, untilMs: number): Promise<void> {
    await this.table.update(
      sessionKey(organizationId, id),
      { set: { due_sk: dueSortKey(untilMs, id) } },
      {
        expression: "used_at = :used AND due_pk = :open",
        values: { used: usedAt, open: duePartition("OPEN#SESSION", id) },
      },
    );
  }

  /** Each shard continues where its last page ended; a finished one starts over. */
  async #shards(
    position: string | null,
    listing: DueListing,
    limit: number,
    to = "~",
  ): Promise<SweptPage<Key>> {
    const from = (position ?? "").split("|");
    const pages = await Promise.all(
      duePartitions(listing).map(async (partition, shard) => {
        const rows = { index: "due", partition, from: from[shard] || " ", to } as const;
        const items = await queryItems(this.table, rows, limit);
        // Nothing sorts between a key of this length and this one.
        return { items, next: items.length < limit ? "" : `${items.at(-1)?.due_sk}~` };
      }),
    );
    const next = pages.map((page) => page.next);
    return {
      items: pages.flatMap((page) => page.items.map(keyOfItem)),
      position: next.every((each) => each === "") ? null : next.join("|"),
    };
  }

  async #pendingSessions(entries: readonly WaitingRunEntry[]): Promise<readonly Session[]> {
    const keys = new Map<string, Key>();
    for (const { organizationId, target } of entries) {
      if (target.kind !== "session") continue;
      const key = sessionKey(organizationId, target.sessionId);
      keys.set(key.pk, key);
    }
    const sessions = (await this.table.batchGet([...keys.values()])).map(parseSession);
    return sessions.filter(({ status }) => status === "pending");
  }

  async #findThere(keys: readonly Key[]): Promise<(key: Key) => boolean> {
    const textOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
    const there = new Set(
      (await this.table.batchGet(keys, ["pk", "sk"])).map((item) => textOf(keyOfItem(item))),
    );
    return (key) => there.has(textOf(key));
  }

  async #restore(entry: QueueEntry, waiting: Write): Promise<boolean> {
    const { organizationId, target } = entry;
    const { failed } = await this.table.transact({
      waiting,
      place: enqueueWrite(entry),
      pools:
        target.kind === "pools"
          ? registerPoolSetWrite(organizationId, target.poolIds, randomUUID())
          : undefined,
    });
    return failed === undefined;
  }
}

function stillWaits({ organizationId, waiting, queuedAtMs }: WaitingRunEntry): Write {
  return check(runKey(organizationId, waiting.runId), {
    expression: `${isLiving} AND status = :scheduling AND queued_at = :queued`,
    values: { scheduling: "scheduling", queued: isoTimestamp(queuedAtMs) },
  });
}

function stillPending(session: Session): Write {
  const { organizationId, id } = session;
  return check(sessionKey(organizationId, id), isPendingAsSeen(session));
}
