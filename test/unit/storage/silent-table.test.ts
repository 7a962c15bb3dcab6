import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { DynamoMailboxStore } from "../../../shared/storage/tunnel/dynamo-mailbox-store.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

const away = { code: "service_unavailable" };

/** DynamoDB that answers no attempt; each lasts as long as its time-out. */
function setUp(deadlineMs?: () => number) {
  const clock = new FakeClock(0);
  const attempts: number[] = [];
  const send = async (_command: unknown, within: { readonly requestTimeout: number }) => {
    attempts.push(within.requestTimeout);
    clock.advance(within.requestTimeout);
    throw Object.assign(new Error("nobody answered"), { name: "TimeoutError" });
  };
  // The overloads of `send` are many; none answers here.
  const client = { send: send as unknown } as Pick<DynamoDBClient, "send">;
  const table = new DynamoTable({
    client,
    tableName: "t",
    clock,
    random: () => 0,
    ...(deadlineMs && { deadlineMs }),
  });
  return { clock, attempts, table };
}

describe("a table that does not answer", () => {
  it("has a second for each attempt", async () => {
    const { table, attempts } = setUp();
    await expect(table.get({ pk: "a", sk: "b" })).rejects.toMatchObject(away);
    await expect(table.delete({ pk: "a", sk: "b" })).rejects.toMatchObject(away);
    expect(attempts).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1_000]);
  });

  it("has 300 ms for each attempt of a poll", async () => {
    const { table, clock, attempts } = setUp();
    await expect(new DynamoMailboxStore({ table, clock }).poll("mailbox")).rejects.toMatchObject(away);
    expect(attempts).toEqual([300, 300, 300]);
  });

  it("has no attempt beyond the call's own time, also for keys left over", async () => {
    const { table, clock, attempts } = setUp(() => 1_700);
    await expect(table.batchGet([{ pk: "a", sk: "b" }])).rejects.toMatchObject(away);
    expect(attempts).toEqual([1_000, 700]);
    expect(clock.now()).toBe(1_700);
  });
});
