import { createMachinesApp } from "../../../functions/machines/app.ts";
import { createSchedulesApp } from "../../../functions/schedules/app.ts";
import { Schedule } from "../../../shared/contract/schedule.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

export async function setUpSchedules(body: object = {}) {
  const service = await createTestService();
  const [schedules, machines] = [createSchedulesApp(service.deps), createMachinesApp(service.deps)];
  const workflow = await service.stores.put.workflow({ organizationId: service.organizationId });
  const appOf = (path: string) => (path.startsWith("/v1/schedules") ? schedules : machines);
  const authorization = service.authorize();
  const ask = asking(appOf, authorization);
  const daily = { workflow_id: workflow.id, cron: "0 6 * * *", ...body };
  const create = async (fields: object = {}) => {
    const { status, json, text } = await ask("POST", "/v1/schedules", { ...daily, ...fields });
    if (status !== 201) throw new Error(text);
    return Schedule.parse(json);
  };
  return { ...service, authorization, appOf, ask, workflow, daily, create };
}
