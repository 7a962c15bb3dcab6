import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { createCheckpoints } from "../../../infra/local/events/checkpoints.ts";
import type { Shard, StreamRecord } from "../../../infra/local/events/stream-client.ts";
import {
  StreamEventSource,
  type StreamEventSourceInput,
} from "../../../infra/local/events/stream-event-source.ts";
import type { InvokeResult } from "../../../infra/local/lambda/invoke-result.ts";
import type { EventSourceModel } from "../../../infra/local/template/application.ts";

const base: EventSourceModel = {
  address: "stack/Source",
  functionAddress: "stack/Fn",
  sourceArn: "arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/local",
  enabled: true,
  batchSize: 10,
  parallelizationFactor: 1,
  startingPosition: "TRIM_HORIZON",
  filters: [],
  bisectsOnError: false,
  reportsBatchItemFailures: true,
  retryAttemptsMax: 2,
  recordAgeSecondsMax: -1,
  onFailureArn: "arn:aws:sqs:us-east-1:000000000000:failures",
};

function recordOf(
  sequenceNumber: string,
  kind = "machine",
  createdAtSeconds = Date.now() / 1_000,
): StreamRecord {
  return {
    eventName: "INSERT",
    dynamodb: {
      ApproximateCreationDateTime: createdAtSeconds,
      NewImage: { kind: { S: kind } },
      SequenceNumber: sequenceNumber,
    },
  };
}

function streamOf(
  shards: Readonly<Record<string, readonly StreamRecord[]>>,
  parents: Record<string, string> = {},
) {
  const listed = Object.keys(shards).map((shardId): Shard => ({ shardId, parentShardId: parents[shardId] }));
  return {
    shards: async () => listed,
    iterator: async (_arn: string, shardId: string) => `${shardId} 0`,
    records: async (iterator: string) => {
      const [shardId = "", position = "0"] = iterator.split(" ");
      const records = (shards[shardId] ?? []).slice(Number(position));
      const isClosed = Object.values(parents).includes(shardId);
      const next = isClosed ? undefined : `${shardId} ${Number(position) + records.length}`;
      return { records, next };
    },
  };
}

function sourceOf(input: Pick<StreamEventSourceInput, "client"> & Partial<StreamEventSourceInput>) {
  return new StreamEventSource({
    source: base,
    localStreamArn: "local",
    functionArn: "arn:fn",
    region: "us-east-1",
    invoke: async () => ({ ok: true, payload: null }),
    sendToQueue: () => {},
    checkpoints: createCheckpoints(undefined),
    report: (problem) => expect(problem).toBeUndefined(),
    pauseMs: 1,
    lambdaPauseMs: 1,
    firstRetryPauseMs: 1,
    ...input,
  });
}

type Handler = (numbers: readonly string[]) => unknown;

async function run(
  client: ReturnType<typeof streamOf>,
  changes: Partial<EventSourceModel>,
  handler: Handler,
  until: (state: { batches: string[][]; messages: string[] }) => boolean,
) {
  const batches: string[][] = [];
  const messages: string[] = [];
  const report = vi.fn();
  const events: unknown[] = [];
  const source = sourceOf({
    source: { ...base, ...changes },
    client,
    invoke: async (event): Promise<InvokeResult> => {
      events.push(event);
      const { Records: records } = event as { Records: { dynamodb: { SequenceNumber: string } }[] };
      const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
      batches.push(numbers);
      try {
        return { ok: true, payload: handler(numbers) ?? null };
      } catch (error) {
        return { ok: false, kind: "error", error: { errorType: "Error", errorMessage: String(error) } };
      }
    },
    sendToQueue: (arn, body) => void messages.push(`${arn} ${body}`),
    report,
  });
  source.start();
  await vi.waitFor(() => expect(until({ batches, messages })).toBe(true), { timeout: 20_000, interval: 1 });
  await source.stop();
  return { batches, messages, report, events };
}

describe("an event source mapping", () => {
  it("hands on what its filter lets through, in order and in batches, under the template's names", async () => {
    const filters = [{ dynamodb: { NewImage: { kind: { S: ["machine"] } } } }];
    const client = streamOf({
      s: ["1", "2", "3", "4"].map((n) => recordOf(n, n === "2" ? "key" : "machine")),
    });
    const { batches, events } = await run(
      client,
      { filters, batchSize: 2 },
      () => undefined,
      (s) => s.batches.length === 2,
    );
    expect(batches).toEqual([["1", "3"], ["4"]]);
    expect(events[0]).toMatchObject({
      Records: [{ awsRegion: "us-east-1", eventSourceARN: base.sourceArn, eventName: "INSERT" }, {}],
    });
  });

  it("reads an idle shard as soon as the table is written", async () => {
    const records: StreamRecord[] = [];
    const handed: unknown[] = [];
    const source = sourceOf({
      client: streamOf({ s: records }),
      invoke: async (event): Promise<InvokeResult> => {
        handed.push(event);
        return { ok: true, payload: null };
      },
      lambdaPauseMs: 600_000,
    });
    source.start();
    for (const number of ["1", "2"]) {
      records.push(recordOf(number));
      source.wake();
      await vi.waitFor(() => expect(handed).toHaveLength(Number(number)), { timeout: 20_000, interval: 1 });
    }
    await source.stop();
  });

  it.each([
    { found: "something for its function", wanted: (_number: number) => true, reads: 20 },
    { found: "only what its filter drops", wanted: (_number: number) => false, reads: 20 },
    { found: "now this, now that", wanted: (number: number) => number % 3 === 0, reads: 60 },
  ])("is read at Lambda's pace once twenty reads in a row found $found", async ({ wanted, reads }) => {
    let read = 0;
    const source = sourceOf({
      source: { ...base, filters: [{ dynamodb: { NewImage: { kind: { S: ["machine"] } } } }] },
      client: {
        ...streamOf({ s: [] }),
        records: async () => {
          read += 1;
          if (read > 60) return { records: [], next: "s 0" };
          return { records: [recordOf(String(read), wanted(read) ? "machine" : "key")], next: "s 0" };
        },
      },
      lambdaPauseMs: 600_000,
    });
    source.start();
    await vi.waitFor(() => expect(read).toBeGreaterThanOrEqual(reads), { timeout: 20_000, interval: 1 });
    await pause(50);
    await source.stop();
    expect(Math.min(read, 60)).toBe(reads);
  });

  it("handles as many batches at once as its factor says, those of one partition key in order", async () => {
    const keyed = (number: number) => {
      const record = recordOf(String(number));
      const Keys = { pk: { S: `p${number % 7}` }, sk: { S: String(number) } };
      return { ...record, dynamodb: { ...(record.dynamodb as object), Keys } };
    };
    const numbers = Array.from({ length: 60 }, (_, number) => number);
    const client = streamOf({ s: numbers.map(keyed) });
    const set = vi.fn();
    let [atOnce, most] = [0, 0];
    const done: number[] = [];
    const source = sourceOf({
      source: { ...base, parallelizationFactor: 4, batchSize: 3 },
      client,
      invoke: async (event): Promise<InvokeResult> => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        const { Records } = event as { Records: { dynamodb: { SequenceNumber: string } }[] };
        const batch = Records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
        await new Promise((resolve) => setTimeout(resolve, batch.includes(0) ? 60 : 1));
        expect(set.mock.calls.every(([, , upTo]) => batch.every((number) => number > Number(upTo)))).toBe(
          true,
        );
        done.push(...batch);
        atOnce -= 1;
        return { ok: true, payload: null };
      },
      checkpoints: { find: () => undefined, set, save: () => {} },
    });
    source.start();
    await vi.waitFor(() => expect(done).toHaveLength(60), { timeout: 20_000, interval: 1 });
    await vi.waitFor(() => expect(set.mock.lastCall?.[2]).toBe("59"), { timeout: 20_000, interval: 1 });
    await source.stop();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    for (let partition = 0; partition < 7; partition += 1) {
      const its = done.filter((number) => number % 7 === partition);
      expect(its).toEqual(its.toSorted((left, right) => left - right));
    }
  });

  it("tries a failed batch again, then gives it up to the destination and goes on", async () => {
    const client = streamOf({ s: [recordOf("1"), recordOf("2")] });
    const failOnFirst: Handler = ([first]) => {
      if (first === "1") throw new Error("poison");
    };
    const { batches, messages, report } = await run(
      client,
      { batchSize: 1 },
      failOnFirst,
      (s) => s.batches.length === 4,
    );
    expect(batches).toEqual([["1"], ["1"], ["1"], ["2"]]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /^arn:aws:sqs:.*"condition":"RetryAttemptsExhausted".*"startSequenceNumber":"1"/,
    );
    expect(report).toHaveBeenCalledWith(expect.stringContaining("given up"));
  });

  it("goes on from the record that the function names", async () => {
    const client = streamOf({ s: ["1", "2", "3"].map((n) => recordOf(n)) });
    let isFirst = true;
    const failOnceAtTwo: Handler = () => {
      if (!isFirst) return undefined;
      isFirst = false;
      return { batchItemFailures: [{ itemIdentifier: "2" }] };
    };
    const { batches } = await run(client, {}, failOnceAtTwo, (s) => s.batches.length === 2);
    expect(batches).toEqual([
      ["1", "2", "3"],
      ["2", "3"],
    ]);
  });

  it("finds the poisoned record by bisecting, and loses only that", async () => {
    const client = streamOf({ s: ["1", "2", "3", "4"].map((n) => recordOf(n)) });
    const done: string[] = [];
    const failOnThree: Handler = (numbers) => {
      if (numbers.includes("3")) throw new Error("poison");
      done.push(...numbers);
    };
    const { messages } = await run(client, { bisectsOnError: true, retryAttemptsMax: 1 }, failOnThree, () =>
      done.includes("4"),
    );
    expect(done).toEqual(["1", "2", "4"]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('"batchSize":1');
  });

  it("gives up records that are too old without handing them on", async () => {
    const client = streamOf({ s: [recordOf("1", "machine", Date.now() / 1_000 - 7_200), recordOf("2")] });
    const { batches, messages } = await run(
      client,
      { recordAgeSecondsMax: 3_600 },
      () => undefined,
      (s) => s.batches.length === 1,
    );
    expect(batches).toEqual([["2"]]);
    expect(messages[0]).toContain("MaximumRecordAgeExceeded");
  });

  it("reads a shard only after its parent has come to its end", async () => {
    const client = streamOf({ child: [recordOf("2")], parent: [recordOf("1")] }, { child: "parent" });
    const { batches } = await run(
      client,
      {},
      () => undefined,
      (s) => s.batches.length === 2,
    );
    expect(batches).toEqual([["1"], ["2"]]);
  });
});
