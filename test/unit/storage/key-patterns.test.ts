import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../../infra/local/aws/glob.ts";
import { type OrganizationId, organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Key } from "../../../shared/storage/table/item.ts";
import { keyPatterns } from "../../../shared/storage/table/key-patterns.ts";
import * as keys from "../../../shared/storage/table/keys.ts";

const others = ["resourceOfKey"] as const;
type KeyFunction = Exclude<
  Extract<keyof typeof keys, `${string}Key` | `${string}Partition`>,
  (typeof others)[number]
>;

type MakeKeys = (o: OrganizationId, a: string, b: string) => Key | string | (Key | string)[];
type Plain = {
  [Name in KeyFunction]: (typeof keys)[Name] extends MakeKeys ? Name : never;
}[KeyFunction];

const special: Record<Exclude<KeyFunction, Plain>, MakeKeys> & Partial<Record<Plain, MakeKeys>> = {
  nameKey: (o, a) => (["TAG", "TAG_GROUP", "POOL"] as const).map((kind) => keys.nameKey(o, kind, a)),
  limitKey: (o) => (["TAG", "TAG_GROUP", "SCHEDULE"] as const).map((kind) => keys.limitKey(o, kind)),
  platformTokensKey: (o) => keys.platformTokensKey(o, "2026-01-31"),
  listedPartition: (o) => listed.map((each) => keys.listedPartition(o, each)),
  listedKey: (o, a) => listed.map((each) => keys.listedKey(o, each, a)),
  listedCountKey: (o) => listed.map((each) => keys.listedCountKey(o, each)),
  waitingSendKey: (organizationId, endpointId, deliveryId) =>
    keys.waitingSendKey({ organizationId, endpointId, deliveryId, round: 1, number: 1 }),
  logSegmentKey: (o) => keys.logSegmentKey(o, "2026-01-31", 7),
  lateLineKey: (o, a) => keys.lateLineKey(o, 1, a),
  callSlotKey: (o, a) => keys.callSlotKey(o, a, 3),
  formerCallSlotKey: (o, a) => keys.formerCallSlotKey(o, a, 3),
  callRecordKey: (organizationId, connectionId, requestId) =>
    keys.callRecordKey({ organizationId, connectionId, requestId }),
  stepKey: (o, a) => keys.stepKey(o, a, 7),
  recordedStepKey: (o, a) => keys.recordedStepKey(o, a, 7),
  countedEndKey: (o, a) => keys.countedEndKey(o, a, 1),
  usagePartition: (o) => keys.usagePartition(o),
  usageKey: (o, a) => keys.usageKey(o, "2026-01-31", a),
  modelUsageKey: (o, a, b) => keys.modelUsageKey(o, "2026-01-31", a, { provider: "openai", model: b }),
  stepCountKey: (o, a) => keys.stepCountKey(o, a),
  savedValueKey: (o, a, b) => keys.savedValueKey(o, a, b, b),
  queueKey: (o, a, b) =>
    targets(a, b).map((target) =>
      keys.queueKey({ organizationId: o, target, isPriority: false, queuedAtMs: 1 }, b),
    ),
  queuePartition: (o, a, b) => targets(a, b).map((target) => keys.queuePartition(o, target)),
  poolSetKey: (o, a, b) => keys.poolSetKey(o, [a, b]),
  idleKey: (o, a, b) => [keys.idleKey(o, undefined, b), keys.idleKey(o, a, b)],
  idlePartition: (o, a) => [keys.idlePartition(o, undefined), keys.idlePartition(o, a)],
  requestPartKey: (o, a) => keys.requestPartKey(o, a, 1),
  counterPartition: (o) => counted.map((each) => keys.counterPartition(o, each)),
  counterKey: (o, a) => counted.map((each) => keys.counterKey(o, each, a)),
  apiKeyKey: (_, a) => keys.apiKeyKey(a),
  ownApiKeyKey: (_, a) => keys.ownApiKeyKey(a),
  keyUseKey: (_, a) => keys.keyUseKey(a),
  revocationKey: (_, a) => keys.revocationKey(a),
  socketKey: (_, a) => keys.socketKey(a),
  ticketKey: (_, a) => keys.ticketKey(a),
  viewerKey: (o) => [keys.viewerKey(o, 0), keys.viewerKey(o, 99)],
  viewerSocketKey: (_, a) => keys.viewerSocketKey(a),
  liveTicketKey: (_, a) => keys.liveTicketKey(a),
  rateKey: (_, a) => keys.rateKey(a, 7),
  mailboxPartition: (_, a) => keys.mailboxPartition(a),
  mailboxKey: (_, a, b) => keys.mailboxKey(a, b, b, 1),
  waitsKey: (o) => [keys.waitsKey(o, "run"), keys.waitsKey(o, "look")],
  waitsShardKey: () => [keys.waitsShardKey(7, "run"), keys.waitsShardKey(7, "look")],
  serviceExecutionsKey: () => keys.serviceExecutionsKey(7),
  serviceLineKey: (o) => keys.serviceLineKey(o),
  serviceLinePartition: () => keys.serviceLinePartition(),
  sweepCursorKey: (_, a) => keys.sweepCursorKey(a),
  tableIdKey: () => keys.tableIdKey(),
  probeKey: () => keys.probeKey(),
};

const counted = [
  ...(["MACHINE", "CONNECTION", "WORKFLOW", "RUN"] as const),
  ...(["ATTACHMENT", "POOL", "TRAJECTORY"] as const),
];

const listed = Object.keys(keys.listedTypes) as keys.Listed[];

function targets(a: string, b: string) {
  return [
    { kind: "machine", machineId: a },
    { kind: "session", sessionId: a },
    { kind: "pools", poolIds: [a, b] },
    { kind: "any" },
  ] as const;
}

function partitionsOf(name: KeyFunction, organization: string, a: string, b: string): readonly string[] {
  const make = special[name] ?? (made[name] as MakeKeys);
  return [make(organizationIdOf(organization), a, b)]
    .flat()
    .map((key) => (typeof key === "string" ? key : key.pk));
}

function kindsOf(partition: string): readonly string[] {
  return Object.entries(keyPatterns).flatMap(([kind, pattern]) =>
    matchesGlob(pattern, partition) ? [kind] : [],
  );
}

const id = fc.oneof(
  fc.uuid(),
  fc
    .array(fc.constantFrom("#", "ORG", "RUN", "MACHINE", "KEY", "COUNT", "*", "?", "%23", "a", ""), {
      minLength: 1,
    })
    .map((parts) => parts.join("#") || "#"),
  fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }),
);

const made: Readonly<Record<string, unknown>> = { ...keys };

const names = Object.keys(made).filter(
  (name): name is KeyFunction => /(Key|Partition)$/.test(name) && !others.some((other) => other === name),
);

describe("the patterns of leading keys", () => {
  it.each(names)("has one for each key of %s, whatever its ids are", (name) => {
    const kinds = partitionsOf(name, "o", "a", "b").map(kindsOf);
    fc.assert(
      fc.property(id, id, id, (o, a, b) => {
        expect(partitionsOf(name, o, a, b).map(kindsOf)).toEqual(kinds);
      }),
      { numRuns: 40 },
    );
    for (const each of kinds) expect(each).toHaveLength(1);
  });

  it("has none that no key matches", () => {
    const found = names.flatMap((name) => partitionsOf(name, "o", "a", "b").flatMap(kindsOf));
    expect(Object.keys(keyPatterns).filter((kind) => !found.includes(kind))).toEqual([]);
  });
});
