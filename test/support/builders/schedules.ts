import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import type { Schedule } from "../../../shared/domain/schedule/schedule.ts";
import { newEntity } from "./entities.ts";

export function aSchedule(fields: Partial<Schedule> = {}): Schedule {
  return {
    ...newEntity(fields),
    userId: randomUUID(),
    keyId: null,
    name: "",
    cron: "0 6 * * *",
    everyMinutes: null,
    timeZone: "UTC",
    startsAt: null,
    endsAt: null,
    workflowId: v7(),
    machineId: null,
    poolIds: [],
    inputValues: {},
    files: [],
    contents: null,
    metadata: {},
    isEnabled: true,
    disabledReason: null,
    overlap: "skip",
    dueAt: null,
    waitingDueAt: null,
    lastDueAt: null,
    lastFiredAt: null,
    lastOutcome: null,
    lastRunId: null,
    missed: null,
    deletedAt: null,
    edition: 0,
    ...fields,
  };
}
