import {
  eventHeavyBytesMax,
  type WebhookConnectionEvent,
  type WebhookMachineEvent,
  type WebhookRunEvent,
  type WebhookScheduleEvent,
} from "../../shared/contract/webhook/webhook-events.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import { bytesInBucket, type SpillDeps, type Spilled, unspill } from "../../shared/domain/spill.ts";
import { presentRun } from "../../shared/present/present-run.ts";
import { type About, machineDetail, scheduleDetail, supersededDetail } from "./present-event.ts";

export async function presentRunWebhook(
  deps: { readonly files: Pick<SpillDeps["files"], "get"> },
  run: Run,
): Promise<Pick<WebhookRunEvent, "run">> {
  const { outputData, runMessageHistory } = run;
  const { mainPrompt } = run.overrides;
  const isOmitted = bytesInBucket([mainPrompt, outputData, runMessageHistory]) > eventHeavyBytesMax;
  const read = async (field: Spilled | null) =>
    isOmitted && field?.kind === "object" ? null : await unspill(deps, field);
  const heavy = {
    mainPrompt: await read(mainPrompt),
    outputData: await read(outputData),
    runMessageHistory: await read(runMessageHistory),
  };
  const omitted = [
    ...(isOmitted && mainPrompt?.kind === "object" ? (["main_prompt"] as const) : []),
    ...(isOmitted && outputData?.kind === "object" ? (["output_data"] as const) : []),
    ...(isOmitted && runMessageHistory?.kind === "object" ? (["run_message_history"] as const) : []),
  ];
  return { run: { ...presentRun(run, heavy), omitted_fields: omitted } };
}

export function presentMachineWebhook(event: About<"machine">): Pick<WebhookMachineEvent, "machine"> {
  return { machine: withoutEnvelope(machineDetail(event)) };
}

export function presentScheduleWebhook(event: About<"schedule">): Pick<WebhookScheduleEvent, "schedule"> {
  return { schedule: withoutEnvelope(scheduleDetail(event)) };
}

export function presentConnectionWebhook(
  event: About<"connection">,
): Pick<WebhookConnectionEvent, "connection"> {
  return { connection: withoutEnvelope(supersededDetail(event)) };
}

interface Envelope {
  readonly event_id: string;
  readonly organization_id: string;
  readonly occurred_at: string;
}

/** The body has these beside its subject. */
function withoutEnvelope<Detail extends Envelope>({
  event_id: _id,
  organization_id: _organization,
  occurred_at: _at,
  ...subject
}: Detail): Omit<Detail, keyof Envelope> {
  return subject;
}
