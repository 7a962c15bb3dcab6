import type { Hono } from "hono";
import { scheduleOperations } from "../../shared/contract/operations/schedule-operations.ts";
import { deleteSchedule } from "../../shared/domain/entity/delete-entity.ts";
import { getEntity, getPage } from "../../shared/domain/entity/read-entities.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import { createSchedule } from "../../shared/domain/schedule/create-schedule.ts";
import { type RunScheduleDeps, runSchedule } from "../../shared/domain/schedule/run-schedule.ts";
import type { Schedule } from "../../shared/domain/schedule/schedule.ts";
import type { ScheduleStore } from "../../shared/domain/schedule/schedule-store.ts";
import { updateSchedule } from "../../shared/domain/schedule/update-schedule.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { presentRun } from "../../shared/present/present-run.ts";
import { presentSchedule } from "./present-schedule.ts";
import { createInput, scheduleFilter, updateInput } from "./read-input.ts";

export interface SchedulesDeps
  extends HttpDeps,
    Pick<RunScheduleDeps, "runs" | "modelConfigurations" | "files" | "inputSources" | "inputChecker"> {
  readonly schedules: ScheduleStore;
}

/** A new run has none of them, nor a prompt of its own. */
const nothingHeavy = { mainPrompt: null, outputData: null, runMessageHistory: null };

export function createSchedulesApp(deps: SchedulesDeps): Hono<HttpEnv> {
  const present = (schedule: Schedule) => presentSchedule(schedule, deps.clock.now());
  const presentNew = (run: Run) => presentRun(run, nothingHeavy);

  return createCallersApp(deps, scheduleOperations, {
    listSchedules: async ({ caller, query }) => {
      const { skip, limit } = query;
      const { items, total } = await getPage(deps.schedules, caller, scheduleFilter(query), query);
      return boundedResponse({ items: items.map(present), total, skip, limit });
    },
    createSchedule: async ({ body, write, tagged }) =>
      tagged(await write(createSchedule, createInput(body)), present),
    getSchedule: async ({ caller, path, tagged }) =>
      tagged(await getEntity(deps.schedules, caller, "schedule", path.schedule_id), present),
    updateSchedule: async ({ path, body, ifEdition, write, tagged }) =>
      tagged(await write(updateSchedule, { ...updateInput(path.schedule_id, body), ifEdition }), present),
    deleteSchedule: ({ path, ifEdition, write }) =>
      write(deleteSchedule, { id: path.schedule_id, ifEdition }),
    runSchedule: async ({ path, write }) =>
      presentNew(await write(runSchedule, { scheduleId: path.schedule_id })),
  });
}
