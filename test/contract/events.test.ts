import { describe, expect, it } from "vitest";
import {
  MachineEvent,
  MachineSupersededEvent,
  RunEvent,
  ScheduleEvent,
} from "../../shared/contract/events.ts";
import { runEndEventTypes, supersededEventType, webhookEventTypes } from "../../shared/vocabulary/events.ts";
import { contains, latest, linesIn, readFixture } from "./fixture-files.ts";
import { type EventLine, recordTable } from "./table/record-table.ts";

const lines = linesIn<EventLine>(readFixture("events.jsonl"));
const last = latest(lines);

function schemaOf(type: string) {
  if (type === supersededEventType) return MachineSupersededEvent;
  if (type.startsWith("schedule.")) return ScheduleEvent;
  return type.startsWith("run.") ? RunEvent : MachineEvent;
}

describe("the fixtures of events", () => {
  it("have every type, with each field that may be null as null and otherwise", () => {
    expect(new Set(lines.map(({ event }) => event["detail-type"]))).toEqual(
      new Set([...webhookEventTypes.filter((type) => type !== "run.complete"), ...runEndEventTypes]),
    );
    for (const schema of [RunEvent, MachineEvent, ScheduleEvent, MachineSupersededEvent]) {
      const told = lines.filter(({ event }) => schemaOf(event["detail-type"]) === schema);
      for (const [field, type] of Object.entries(schema.shape)) {
        const values = told.map(({ event }) => event.detail[field]);
        expect(
          values.some((value) => value !== null),
          field,
        ).toBe(true);
        expect(values.includes(null), `${field} as null`).toBe(type.safeParse(null).success);
      }
    }
  });

  it("are what is published today", async () => {
    const { events } = await recordTable();
    expect(events.map(({ name }) => name).sort()).toEqual([...last.keys()].sort());
    for (const { name, event } of lines) {
      const today = events.find((line) => line.name === name)?.event;
      if (last.get(name)?.event === event) expect(today).toEqual(event);
      else expect(contains(today, event), `${name}: ${JSON.stringify(today)}`).toBe(true);
    }
  });

  it("are read by today's schemas", () => {
    for (const { event } of last.values()) {
      const schema = schemaOf(event["detail-type"]);
      expect(schema.parse(event.detail)).toEqual(event.detail);
    }
  });
});
