import type { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { createProjector, type TableRecord } from "../../../functions/projector/app.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import type { TableChange } from "../../../shared/domain/maintenance/table-change.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { SqsSetAside } from "../../../shared/events/sqs-set-aside.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { reduceRecord } from "../../../shared/storage/stream/reduce-record.ts";
import { changeAttributes, type TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { eventAttributes, readEvents } from "../../../shared/storage/stream/stream-events.ts";
import { aRun } from "../../support/builders/entities.ts";
import { readsNothing } from "../../support/projector-reads.ts";
import { streamRecord } from "../../support/stream-record.ts";
import { tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

interface TestRecord extends TableRecord {
  readonly change?: TableChange;
}

async function deletedMachine() {
  const world = tunnelWorld();
  const driver = await world.driver({ key: await world.key() });
  const machine = await world.machineOf(driver);
  const { organizationId, id: machineId } = machine;
  await world.machines.markDeleted(organizationId, machineId, "2026-01-15T12:00:00.000Z");
  const expired: string[] = [];
  const project = createProjector<TestRecord>({
    ...world,
    ...readsNothing,
    readChange: (record) => record.change,
    settleExpired: async (_organizationId, connectionId) => {
      expired.push(connectionId);
    },
  });
  const record: TestRecord = {
    dynamodb: { SequenceNumber: "100" },
    change: { kind: "deleted", entity: "machine", organizationId, id: machineId },
  };
  const endState = async () => ({
    row: await world.machines.findDeleted(organizationId, machineId),
    isOpen: world.sockets.isOpen(driver.websocketId),
    connection: (await world.connections.findByWebsocketId(driver.websocketId))?.status,
    wasTold:
      world.sockets.messages(driver.websocketId).filter((message) => message.type === "goodbye").length > 0,
  });
  return { world, project, record, expired, endState };
}

it("takes a connection that has expired off the count", async () => {
  const { project, expired } = await deletedMachine();
  const change = {
    kind: "connection_expired",
    organizationId: organizationIdOf("o"),
    connectionId: "c",
  } as const;
  await project({ Records: [{ dynamodb: { SequenceNumber: "1" }, change }] });
  expect(expired).toEqual(["c"]);
});

describe("a batch of the stream", () => {
  it("sets aside at once what no repeat helps, and does the others", async () => {
    const { world, project, record, endState } = await deletedMachine();
    const broken: TestRecord = {
      dynamodb: { SequenceNumber: "99" },
      get change(): never {
        throw new Error("unreadable");
      },
    };
    const answer = await project({ Records: [broken, record, { dynamodb: { SequenceNumber: "101" } }] });
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(world.setAside.records).toEqual([broken]);
    expect(await endState()).toEqual({
      row: undefined,
      isOpen: false,
      connection: "disconnected",
      wasTold: true,
    });
  });

  /** Each record fails in its own way, or not. */
  async function failing(...causes: readonly (Error | undefined)[]) {
    const { world } = await deletedMachine();
    const Records = causes.map((cause, at) => ({ dynamodb: { SequenceNumber: String(at) }, cause }));
    const project = createProjector<(typeof Records)[number]>({
      ...world,
      ...readsNothing,
      readChange: ({ cause }) => {
        if (cause) throw cause;
        return undefined;
      },
    });
    return { world, project, Records };
  }

  const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });

  it.each([
    ["a throttled call", named("ThrottlingException")],
    ["a time-out", named("TimeoutError")],
    ["a fault of AWS", named("InternalFailure", { $metadata: { httpStatusCode: 500 } })],
    ["a table that is away", new DomainError("service_unavailable", "away")],
    [
      "the failures of several, of which one passes",
      new AggregateError([new Error("bug"), named("SlowDown")]),
    ],
    ["what was caused by one", new Error("no", { cause: named("TooManyRequestsException") })],
  ])(
    "is repeated after %s, from there on: what fails for good behind it waits for the repeat",
    async (_, cause) => {
      const { world, project, Records } = await failing(
        undefined,
        new Error("a bug"),
        cause,
        new Error("a bug"),
      );
      const answer = await project({ Records });
      expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["2", "3"]);
      expect(world.setAside.records).toEqual([Records[1]]);
    },
  );

  it("is repeated while nobody takes what is set aside", async () => {
    const { world, project, Records } = await failing(new Error("a bug"));
    world.setAside.isAway = true;
    expect(await project({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: "0" }] });
  });

  it("is named to who replays it, and not set aside anew", async () => {
    const { world, project, Records } = await failing(undefined, new Error("a bug"), named("TimeoutError"));
    const { batchItemFailures } = await project({ Records, is_replay: true });
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["1", "2"]);
    expect(world.setAside.records).toEqual([]);
  });
});

describe("what customers hear", () => {
  /** A projector that reads what a real stream would give. */
  function listening() {
    const world = tunnelWorld();
    const project = createProjector<TableStreamRecord>({
      ...world,
      ...readsNothing,
      readEvents,
    });
    const run = aRun({ inputValues: { name: "of a customer" }, error: ["of a customer"] });
    const numbered = (number: string, before: Run | undefined, after: Run): TableStreamRecord => {
      const record = streamRecord(before && runItem(before), runItem(after), `id-${number}`);
      return { ...record, dynamodb: { ...record.dynamodb, SequenceNumber: number } };
    };
    const Records = [
      numbered("1", undefined, run),
      numbered("2", run, { ...run, status: "running" }),
      numbered("3", { ...run, status: "running" }, { ...run, status: "success" }),
    ];
    return { world, project, Records };
  }

  it("is published in the order of the stream", async () => {
    const { world, project, Records } = listening();
    expect(await project({ Records })).toEqual({ batchItemFailures: [] });
    expect(world.events.taken.map(({ type }) => type)).toEqual(["run.created", "run.running", "run.success"]);
  });

  it("comes again from the first record whose event was not taken, with the same id", async () => {
    const { world, project, Records } = listening();
    world.events.refusedTypes.add("run.running");
    expect(await project({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: "2" }] });
    expect(world.logger.lines.some(({ level }) => level === "warn")).toBe(true);
    world.events.refusedTypes.clear();
    expect(await project({ Records: Records.slice(1) })).toEqual({ batchItemFailures: [] });
    const ids = world.events.taken.map(({ id }) => id);
    expect(ids).toEqual(["id-1:run.created", "id-3:run.success", "id-2:run.running", "id-3:run.success"]);
  });

  it("is heard by a replay, with the same id, when the bus refused it for good", async () => {
    const { world, project, Records } = listening();
    world.events.refusedTypes.add("run.running");
    world.events.cause = new Error("MalformedDetail");
    expect(await project({ Records })).toEqual({ batchItemFailures: [] });
    expect(world.setAside.records).toEqual([Records[1]]);
    const sent: string[] = [];
    const aside = new SqsSetAside<TableStreamRecord>({
      client: {
        send: async ({ input }: SendMessageCommand) => void sent.push(input.MessageBody ?? ""),
      } as unknown as Pick<SQSClient, "send">,
      queueUrl: "https://queue",
      reduce: (record) => reduceRecord(record, [...eventAttributes(), ...changeAttributes()]),
    });
    for (const record of Records.slice(1, 2)) await aside.put(record);
    expect(sent.join()).not.toContain("of a customer");
    world.events.refusedTypes.clear();
    const [message = ""] = sent;
    expect(await project({ ...JSON.parse(message), is_replay: true })).toEqual({ batchItemFailures: [] });
    const [created, , replayed] = world.events.taken;
    expect(replayed).toMatchObject({ id: "id-2:run.running", type: "run.running" });
    expect(replayed?.detail).toEqual({
      ...created?.detail,
      event_id: "id-2:run.running",
      status: "running",
      previous_status: "scheduling",
    });
  });

  it("is not kept from being heard by a record that cannot be read", async () => {
    const { world, project, Records } = listening();
    const [first, second] = Records;
    if (first === undefined || second === undefined) throw new Error("there are three");
    const broken = { ...first, dynamodb: { ...first.dynamodb, NewImage: { kind: { S: "run" } } } };
    expect(await project({ Records: [broken, second] })).toEqual({ batchItemFailures: [] });
    expect(world.setAside.records).toEqual([broken]);
    expect(world.events.taken.map(({ type }) => type)).toEqual(["run.running"]);
  });
});
