import fc from "fast-check";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import {
  createdRange,
  duePartition,
  duePartitions,
  filterPartitions,
} from "../../../shared/storage/table/index-keys.ts";
import { createdSortKey } from "../../../shared/storage/table/key-parts.ts";
import {
  connectionKey,
  counterKey,
  fingerprintKey,
  idempotencyRecordKey,
  machineKey,
  mailboxKey,
  rateKey,
} from "../../../shared/storage/table/keys.ts";
import { counterShards } from "../../../shared/vocabulary/table.ts";

const isFirst = <T>(one: T, at: number, all: readonly T[]) => all.indexOf(one) === at;
const text = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" });

describe("keys", () => {
  it("never meet, whatever the ids are made of", () => {
    fc.assert(
      fc.property(text, text, text, text, (one, id, other, otherId) => {
        fc.pre(one !== other || id !== otherId);
        for (const keyOf of [machineKey, fingerprintKey, connectionKey, idempotencyRecordKey]) {
          expect(keyOf(organizationIdOf(one), id)).not.toEqual(keyOf(organizationIdOf(other), otherId));
        }
      }),
    );
  });

  it("fit DynamoDB's 2,048 bytes, whatever a filter names", () => {
    const organizationId = organizationIdOf("o".repeat(31));
    for (const filter of ["🧾".repeat(255), "名".repeat(255), "a".repeat(255)]) {
      const partitions = [
        filterPartitions.auditEventsByActor(organizationId, filter),
        filterPartitions.auditEventsByResource(organizationId, "workflow_tag_group", filter),
      ];
      for (const each of partitions) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(2_048);
    }
  });

  it("begin with the organization and keep its kinds apart", () => {
    const keys = [machineKey, fingerprintKey, connectionKey, idempotencyRecordKey].map(
      (keyOf) => keyOf(organizationIdOf("o#1"), "i").pk,
    );
    expect(new Set(keys).size).toBe(keys.length);
    for (const pk of keys) expect(pk.startsWith("ORG#o%231#")).toBe(true);
    expect(rateKey("a#1", 2).pk).not.toBe(rateKey("a", 12).pk);
  });

  it("sort an answer's parts by connection, request and part", () => {
    const keys = [
      mailboxKey("m", "a=", "r", 0),
      mailboxKey("m", "a=", "r", 1),
      mailboxKey("m", "b=", "r", 0),
    ];
    expect(keys.map((key) => key.sk).sort()).toEqual(keys.map((key) => key.sk));
  });

  it("count an entity in one of sixteen shards, always the same", () => {
    const ids = Array.from({ length: 400 }, () => v7());
    const shards = new Set(ids.map((id) => counterKey(organizationIdOf("o"), "MACHINE", id).sk));
    expect(shards.size).toBe(counterShards);
    expect(
      ids
        .map((id) => duePartition("LIVE", id))
        .sort()
        .filter(isFirst),
    ).toEqual(duePartitions("LIVE"));
    expect(duePartitions("LIVE")).toContain(duePartition("LIVE", "not a UUID"));
    const [id = ""] = ids;
    expect(counterKey(organizationIdOf("o"), "MACHINE", id)).toEqual(
      counterKey(organizationIdOf("o"), "MACHINE", id),
    );
  });

  it("put a list in the order of creation, and a range exactly around its moments", () => {
    const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(moment, moment, moment, (createdAt, from, to) => {
        const key = createdSortKey(createdAt, v7());
        const range = createdRange(from, to);
        const isInside = key >= (range.from ?? "") && key <= (range.to ?? "");
        expect(isInside).toBe(createdAt >= from && createdAt <= to);
      }),
    );
    const id = v7();
    expect(createdSortKey(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), id)).toBe(
      id.replaceAll("-", ""),
    );
  });
});
