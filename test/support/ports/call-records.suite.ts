import { describe, expect, it } from "vitest";
import type { Arrival, CallName, DesktopCall } from "../../../shared/domain/tunnel/call-records.ts";
import { callRecordKey } from "../../../shared/storage/table/keys.ts";
import { aDesktopCall, anOrganization } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

export function callRecordsSuite(create: CreateTableStores): void {
  const setUp = () => {
    const { callRecords: records, table } = create();
    const organizationId = anOrganization();
    const aCall = (fields: Partial<DesktopCall> = {}) => aDesktopCall({ organizationId, ...fields });
    const rowOf = async (call: CallName) => await table.get(callRecordKey(call));
    return { records, table, aCall, rowOf };
  };
  const done = { outcome: 200, durationMs: 30, bytes: 2 } as const;
  const answer = {
    status: 200,
    headers: { "x-typed": "canary" },
    body: new TextEncoder().encode("canary"),
    uploaded: false,
  };
  const whole: Arrival = { answer, outcome: done };
  const ended = { outcome: "200", duration_ms: 30, bytes: 2 };

  describe("call records", () => {
    it("of an organization are in one partition, so that one batch of the stream has many ends of calls", () => {
      const { aCall } = setUp();
      const keys = [aCall(), aCall()].map(callRecordKey);
      expect(new Set(keys.map(({ pk }) => pk)).size).toBe(1);
      expect(new Set(keys.map(({ sk }) => sk)).size).toBe(2);
    });

    it("say who calls, and give out the answer, which ends the call", async () => {
      const { records, aCall, rowOf } = setUp();
      const [call, other] = [aCall(), aCall()];
      for (const each of [call, other]) await records.open(each);
      expect(await rowOf(call)).toMatchObject({ principal: "p", lease_until_ms: expect.any(Number) });
      expect(await records.read([call, other])).toEqual([]);
      expect(await records.arrive(call, whole)).toBe(true);
      const { organizationId, connectionId, requestId } = call;
      expect(await records.read([call, other])).toMatchObject([
        { organizationId, connectionId, requestId, answer, isEnded: true },
      ]);
      expect(await rowOf(call)).toMatchObject({ request_id: requestId, ...ended });
      expect(await rowOf(call)).not.toHaveProperty("lease_until_ms");
    });

    it("keep the answer encrypted, for that call only", async () => {
      const { records, table, aCall, rowOf } = setUp();
      const [call, other] = [aCall(), aCall()];
      await records.arrive(call, whole);
      const row = await rowOf(call);
      const texts = Object.values(row ?? {}).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value),
      );
      expect(texts.join()).not.toContain("canary");
      await table.put({ ...row, ...callRecordKey(other) });
      await expect(records.read([other])).rejects.toMatchObject({ code: "driver_connection_lost" });
    });

    it.each([
      ["small", whole],
      ["in the mailbox", { outcome: done }],
    ])("take a %s answer that comes before they are opened", async (_size, arrival) => {
      const { records, aCall, rowOf } = setUp();
      const call = aCall();
      await records.arrive(call, arrival);
      for (let attempt = 0; attempt < 2; attempt += 1) await records.open(call);
      await records.end(call, { ...done, outcome: "driver_timeout" });
      expect(await rowOf(call)).toMatchObject({ principal: "p", ...ended });
      expect(await rowOf(call)).not.toHaveProperty("lease_until_ms");
      const [found] = await records.read([call]);
      expect(found).toMatchObject({ isEnded: true });
      expect(found?.answer !== undefined).toBe(arrival === whole);
    });

    it("are opened by an answer that has the call's facts, in the same write", async () => {
      const { records, aCall, rowOf } = setUp();
      const [small, large, other, opened] = [aCall(), aCall(), aCall(), aCall()];
      const facts = await records.describe(small);
      expect(Buffer.from(facts ?? "", "base64url").toString("latin1")).not.toContain(small.machineId);
      expect(await records.arrive(small, { ...whole, facts })).toBe(true);
      await records.open(small);
      const { machineId, path } = small;
      expect(await rowOf(small)).toMatchObject({ machine_id: machineId, path, principal: "p", ...ended });
      expect(await rowOf(small)).not.toHaveProperty("lease_until_ms");
      expect(await records.read([small])).toMatchObject([{ answer, isEnded: true }]);
      await records.arrive(large, { facts: await records.describe(large) });
      expect(await rowOf(large)).toMatchObject({ principal: "p", lease_until_ms: expect.any(Number) });
      await records.end(large, done);
      expect(await rowOf(large)).toMatchObject(ended);
      await records.open(opened);
      const later = { ...whole, facts: await records.describe(opened) };
      expect([await records.arrive(opened, later), await records.arrive(opened, later)]).toEqual([
        true,
        false,
      ]);
      expect(await rowOf(opened)).toMatchObject(ended);
      expect(await rowOf(opened)).not.toHaveProperty("lease_until_ms");
      await expect(records.arrive(other, { ...whole, facts })).rejects.toThrow();
      expect(await records.describe(aCall({ path: `/${"x".repeat(1_000)}` }))).toBeUndefined();
    });

    it("end with their caller where the answer alone does not end them, whichever comes first", async () => {
      const { records, aCall, rowOf } = setUp();
      const calls = [aCall(), aCall()];
      for (const [turn, call] of calls.entries()) {
        if (turn === 0) await records.open(call);
        expect(await records.arrive(call, { answer: { ...answer, uploaded: true } })).toBe(true);
        if (turn === 1) await records.open(call);
        expect(await rowOf(call)).toHaveProperty("lease_until_ms");
        expect(await records.read([call])).toMatchObject([{ answer: { uploaded: true }, isEnded: false }]);
        await records.end(call, { ...done, bytes: 5_000_000 });
        expect(await rowOf(call)).toMatchObject({ ...ended, bytes: 5_000_000 });
        expect(await rowOf(call)).not.toHaveProperty("lease_until_ms");
      }
    });

    it("keep the first answer, and none that comes after their end", async () => {
      const { records, aCall, rowOf } = setUp();
      const [answered, over] = [aCall(), aCall()];
      for (const call of [answered, over]) await records.open(call);
      await records.arrive(answered, whole);
      expect(await records.arrive(answered, { ...whole, answer: { ...answer, status: 500 } })).toBe(false);
      await records.end(over, { ...done, outcome: "driver_timeout" });
      expect(await records.arrive(over, whole)).toBe(false);
      expect(await records.read([answered, over])).toMatchObject([{ answer: { status: 200 } }]);
      expect(await rowOf(over)).toMatchObject({ outcome: "driver_timeout" });
    });

    it("of a call that was never opened are written at its end, and not by what only ends one", async () => {
      const { records, aCall, rowOf } = setUp();
      const [noted, unknown] = [aCall(), aCall()];
      await records.note(noted, done);
      await records.end(unknown, done);
      await records.withdraw(unknown);
      expect(await rowOf(noted)).toMatchObject({ principal: "p", ...ended });
      expect(await rowOf(unknown)).toBeUndefined();
    });
  });
}
