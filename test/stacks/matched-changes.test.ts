import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { matchesPattern } from "../../infra/local/events/event-pattern.ts";
import type { JsonObject } from "../../infra/local/template/json.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import { entryOfRun, entryOfSession } from "../../shared/domain/matching/queue-places.ts";
import { organizationIdOf } from "../../shared/domain/organization-id.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import type { Session } from "../../shared/domain/session/session.ts";
import { machineItem } from "../../shared/storage/machine/machine-item.ts";
import { joinWrite } from "../../shared/storage/pool/membership-writes.ts";
import { leftItem } from "../../shared/storage/queue/left-row.ts";
import { enqueueWrite, idleItems } from "../../shared/storage/queue/queue-rows.ts";
import { runItem } from "../../shared/storage/run/run-item.ts";
import { sessionItem } from "../../shared/storage/session/session-item.ts";
import { readMatchTrigger } from "../../shared/storage/stream/match-triggers.ts";
import type { Write } from "../../shared/storage/table/expression.ts";
import type { Item } from "../../shared/storage/table/item.ts";
import { stoppedChainKey } from "../../shared/storage/table/keys.ts";
import { aMachine, aRun } from "../support/builders/entities.ts";
import { streamRecord } from "../support/stream-record.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp());
const mapping = resourcesOf(service, "AWS::Lambda::EventSourceMapping").find(({ Properties }) =>
  JSON.stringify(Properties.FunctionName).includes("matcher"),
);
const texts: readonly string[] = mapping?.Properties.FilterCriteria.Filters.map(
  (filter: { Pattern: string }) => filter.Pattern,
);
const patterns = texts.map((text) => JSON.parse(text) as JsonObject);

function isMatched(before: Item | undefined, after: Item | undefined): boolean {
  const record = JSON.parse(JSON.stringify(streamRecord(before, after))) as JsonObject;
  return patterns.some((pattern) => matchesPattern(pattern, record));
}

function putItem(write: Write): Item {
  if (write.kind !== "put") throw new Error(`a ${write.kind} is no put`);
  return write.item;
}

const organizationId = organizationIdOf("org_1");
const sessionId = randomUUID();
const connection = { id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f", websocketId: "w=", host: "api/stage" };
const machine = aMachine({ organizationId, connection });
const session: Session = {
  id: sessionId,
  organizationId,
  status: "pending",
  machineId: null,
  poolIds: [],
  isPriority: false,
  createdAt: machine.createdAt,
  usedAt: machine.createdAt,
};

describe("the filters of the matcher's stream", () => {
  it("are no more and no longer than Lambda takes", () => {
    expect(texts.length).toBeLessThanOrEqual(5);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(4_096);
  });

  it.each<[string, Partial<Run>]>([
    ["any machine", {}],
    ["a machine", { namedMachineId: machine.id }],
    ["pools", { poolIds: [randomUUID()] }],
    ["its session", { sessionId }],
  ])("let a run that waits for %s through", (_, fields) => {
    const entry = entryOfRun(aRun({ organizationId, ...fields }));
    const row = putItem(enqueueWrite(entry));
    expect(isMatched(undefined, row)).toBe(true);
    expect(readMatchTrigger(streamRecord(undefined, row))).toEqual({ kind: "queued", organizationId, entry });
    expect(isMatched(row, undefined)).toBe(false);
  });

  it("let the place of a session through, also when a run has joined it", () => {
    const [first, second] = [enqueueWrite(entryOfSession(session)), enqueueWrite(entryOfSession(session))];
    expect(isMatched(undefined, putItem(first))).toBe(true);
    expect(putItem(first)).not.toEqual(putItem(second));
    expect(isMatched(putItem(first), putItem(second))).toBe(true);
  });

  it.each<[string, Partial<Machine>, Partial<Machine>]>([
    ["it connects", { connection: null }, {}],
    ["it loses its connection", {}, { connection: null }],
    ["it is switched on", { isAvailable: false }, {}],
    ["it is switched off", {}, { isAvailable: false }],
    ["it is back in service", { outOfService: true }, {}],
    ["it is out of service", {}, { outOfService: true }],
    ["its run ends", { currentRunId: "r" }, {}],
    ["it is kept for a session", {}, { reservedSessionId: sessionId }],
    ["it is kept for none any more", { reservedSessionId: sessionId }, {}],
    ["it has been cleared", { clearingSince: machine.createdAt }, {}],
  ])("let a machine through when %s", (_, before, after) => {
    const write = [machineItem({ ...machine, ...before }), machineItem({ ...machine, ...after })] as const;
    expect(isMatched(...write)).toBe(true);
    expect(readMatchTrigger(streamRecord(...write))).toEqual({
      kind: "machine_changed",
      organizationId,
      machineId: machine.id,
    });
  });

  it("let a machine's deletion through", () => {
    const before = machineItem(machine);
    expect(isMatched(before, { ...before, deleted_at: "2026-01-15T12:00:00.000Z" })).toBe(true);
  });

  it.each<[string, Partial<Machine>]>([
    ["a driver's ping", { lastSeen: "2026-01-15T12:00:00.000Z", revision: 9 }],
    ["another name", { name: "other", revision: 9 }],
    ["an assignment", { currentRunId: "r", revision: 9 }],
    ["the beginning of clearing", { clearingSince: machine.createdAt }],
    ["another connection in place of the one", { connection: { ...connection, id: "other" } }],
  ])("keep %s away", (_, change) => {
    expect(isMatched(machineItem(machine), machineItem({ ...machine, ...change }))).toBe(false);
    const busy = { ...machine, currentRunId: "before", reservedSessionId: sessionId, outOfService: true };
    const still = { ...busy, ...change };
    if (change.currentRunId === undefined)
      expect(isMatched(machineItem(busy), machineItem(still))).toBe(false);
  });

  it("let a machine that joins a pool through", () => {
    const row = putItem(joinWrite(organizationId, randomUUID(), machine.id));
    expect(isMatched(undefined, row)).toBe(true);
    expect(readMatchTrigger(streamRecord(undefined, row))).toEqual({
      kind: "machine_changed",
      organizationId,
      machineId: machine.id,
    });
  });

  it.each(["pending", "active"] as const)("let the end of a session through that was %s", (status) => {
    const before = sessionItem({ ...session, status });
    const after = { ...before, status: "ended" };
    expect(isMatched(before, after)).toBe(true);
    expect(readMatchTrigger(streamRecord(before, after))).toEqual({
      kind: "session_ended",
      organizationId,
      sessionId,
    });
  });

  it("keep all else of sessions away", () => {
    const pending = sessionItem(session);
    const active = sessionItem({ ...session, status: "active", machineId: machine.id });
    expect(isMatched(undefined, pending)).toBe(false);
    expect(isMatched(pending, active)).toBe(false);
    expect(isMatched(active, { ...active, used_at: "2026-01-15T12:00:00.000Z" })).toBe(false);
    const ended = { ...active, status: "ended" };
    expect(isMatched(ended, { ...ended, ttl: 1 })).toBe(false);
  });

  it("let the stop of a chain through", () => {
    const key = stoppedChainKey(organizationId, sessionId, "c");
    const row = {
      ...key,
      kind: "stopped_chain",
      id: "c",
      organization_id: organizationId,
      session_id: sessionId,
    };
    expect(isMatched(undefined, row)).toBe(true);
    expect(readMatchTrigger(streamRecord(undefined, row))).toEqual({
      kind: "chain_stopped",
      organizationId,
      sessionId,
      chainId: "c",
    });
  });

  it("let through that a machine has left a pool, also where a round has left that to another", () => {
    const item = putItem(joinWrite(organizationId, "p", machine.id));
    expect(isMatched(item, undefined)).toBe(true);
    const left = { kind: "pool_left", organizationId, machineId: machine.id, poolId: "p" } as const;
    expect(readMatchTrigger(streamRecord(item, undefined))).toEqual(left);
    const row = leftItem(organizationId, [left]);
    expect(readMatchTrigger(streamRecord(undefined, row))).toMatchObject({ changes: [left] });
  });

  it("let the end of an execution through when others were refused meanwhile, and no other", () => {
    const row = { kind: "executions", organization_id: organizationId, running: new Set(["a", "b"]) };
    const refused = { ...row, has_refused: true, refused: new Set(["idle", machine.id]) };
    const after = { ...row, running: new Set(["a"]) };
    expect(isMatched(refused, after)).toBe(true);
    const ended = { kind: "execution_ended", organizationId, refused: ["idle", machine.id] } as const;
    expect(readMatchTrigger(streamRecord(refused, after))).toEqual(ended);
    const left = { ...ended, idleAfter: machine.id };
    const rest = leftItem(organizationId, [left]);
    expect(readMatchTrigger(streamRecord(undefined, rest))).toMatchObject({ changes: [left] });
    expect(isMatched(row, after)).toBe(false);
    expect(isMatched(undefined, row)).toBe(false);
    expect(isMatched(row, refused)).toBe(false);
    expect(isMatched(refused, { ...refused, running: new Set(["a"]) })).toBe(false);
  });

  it("let the end of an execution through when an organization is in the line for its place, and no assignment", () => {
    const kept = { kind: "service_executions", running: new Set(["a.1", "b.1"]), is_kept: true };
    const freed = { ...kept, running: new Set(["a.1"]), freed_by: "b.1" };
    expect(isMatched(kept, freed)).toBe(true);
    expect(readMatchTrigger(streamRecord(kept, freed))).toEqual({ kind: "place_freed" });
    expect(isMatched(freed, kept)).toBe(false);
    expect(isMatched({ ...kept, is_kept: undefined }, { ...freed, is_kept: undefined })).toBe(false);
  });

  it("keep runs, idle rows and other kinds away", () => {
    const run = aRun({ organizationId });
    const [idle] = idleItems({ organizationId, machineId: machine.id, poolIds: [] });
    expect(isMatched(undefined, runItem(run))).toBe(false);
    expect(isMatched(runItem(run), runItem({ ...run, status: "running" }))).toBe(false);
    expect(isMatched(undefined, idle)).toBe(false);
    expect(readMatchTrigger(streamRecord(undefined, idle))).toBeUndefined();
  });
});
