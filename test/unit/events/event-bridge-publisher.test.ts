import type { EventBridgeClient, PutEventsCommand, PutEventsResultEntry } from "@aws-sdk/client-eventbridge";
import { describe, expect, it } from "vitest";
import { isPassing } from "../../../shared/aws/aws-failure.ts";
import type { OutgoingEvent } from "../../../shared/domain/events/event-publisher.ts";
import { EventBridgePublisher } from "../../../shared/events/event-bridge-publisher.ts";

function events(count: number): readonly OutgoingEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `e${index}`,
    type: "run.created",
    occurredAt: "2026-01-15T12:00:00.000Z",
    detail: { event_id: `e${index}` },
  }));
}

/** @param answer what EventBridge says of an entry; an error fails the whole call. */
function publisher(answer: (id: string) => PutEventsResultEntry | Error) {
  const calls: string[][] = [];
  const entries: unknown[] = [];
  const client = {
    send: async ({ input }: PutEventsCommand) => {
      const sent = input.Entries ?? [];
      entries.push(...sent);
      const ids = sent.map(({ Detail }) =>
        String((JSON.parse(Detail ?? "{}") as { event_id: string }).event_id),
      );
      calls.push(ids);
      return {
        Entries: ids.map((id) => {
          const answered = answer(id);
          if (answered instanceof Error) throw answered;
          return answered;
        }),
      };
    },
  };
  const made = new EventBridgePublisher({
    client: client as unknown as EventBridgeClient,
    busName: "das-main",
  });
  return { publisher: made, calls, entries };
}

const taken = () => ({ EventId: "1" });

describe("publishing on EventBridge", () => {
  it("sends ten at a time, in order, each with its type and moment", async () => {
    const { publisher: it, calls, entries } = publisher(taken);
    expect(await it.publish(events(23))).toEqual([]);
    expect(calls.map(({ length }) => length)).toEqual([10, 10, 3]);
    expect(calls.flat()).toEqual(events(23).map(({ id }) => id));
    expect(entries[0]).toEqual({
      EventBusName: "das-main",
      Source: "desktop-automation-service",
      DetailType: "run.created",
      Detail: '{"event_id":"e0"}',
      Time: new Date("2026-01-15T12:00:00.000Z"),
    });
  });

  it("calls nobody when there is nothing to say", async () => {
    const { publisher: it, calls } = publisher(taken);
    expect(await it.publish([])).toEqual([]);
    expect(calls).toEqual([]);
  });

  it("names what was not taken of a call, and no more", async () => {
    const { publisher: it } = publisher((id) =>
      id === "e11" ? { ErrorCode: "ThrottlingException" } : taken(),
    );
    expect(await it.publish(events(12))).toEqual([
      { id: "e11", type: "run.created", cause: expect.objectContaining({ code: "service_unavailable" }) },
    ]);
  });

  it.each(["ThrottlingException", "InternalFailure", undefined])(
    "may take later what was refused with %s",
    async (ErrorCode) => {
      const { publisher: it } = publisher(() => ({ ErrorCode }));
      expect((await it.publish(events(1))).map(({ cause }) => isPassing(cause))).toEqual([true]);
    },
  );

  it("never takes what was refused for any other reason", async () => {
    const { publisher: it } = publisher(() => ({ ErrorCode: "MalformedDetail" }));
    expect((await it.publish(events(1))).map(({ cause }) => isPassing(cause))).toEqual([false]);
  });

  it("counts a call that failed as nothing taken of it, and makes those after it", async () => {
    const failure = Object.assign(new Error("no"), { name: "InternalException" });
    const { publisher: it, calls } = publisher((id) => (id === "e3" ? failure : taken()));
    const refused = await it.publish(events(12));
    expect(refused.map(({ id }) => id)).toEqual(events(10).map(({ id }) => id));
    expect(refused[0]?.cause).toBe(failure);
    expect(calls).toHaveLength(2);
  });
});
