import type { recordingOperations } from "../../shared/contract/operations/recording-operations.ts";
import type * as wire from "../../shared/contract/recording.ts";
import { discardRecording, extendRecording } from "../../shared/domain/demonstration/change-recording.ts";
import {
  type FinishRecordingDeps,
  finishRecording,
} from "../../shared/domain/demonstration/finish-recording.ts";
import {
  getRecordedScreenshot,
  getRecording,
  listRecordedSteps,
  listRecordings,
} from "../../shared/domain/demonstration/read-recordings.ts";
import { type Recording, statusOf } from "../../shared/domain/demonstration/recording.ts";
import {
  type StartRecordingDeps,
  startRecording,
} from "../../shared/domain/demonstration/start-recording.ts";
import type { FileStore } from "../../shared/domain/file-store.ts";
import type { RunStep } from "../../shared/domain/run-step/run-step.ts";
import { readContent } from "../../shared/domain/trajectory/read-data.ts";
import { given } from "../../shared/http/request/given.ts";
import type { Handlers } from "../../shared/http/serve-operations.ts";
import { presentWritten } from "./present-trajectories.ts";

export interface RecordingHandlerDeps extends StartRecordingDeps, FinishRecordingDeps {
  readonly workflows: StartRecordingDeps["workflows"] & FinishRecordingDeps["workflows"];
  readonly files: FinishRecordingDeps["files"] & Pick<FileStore, "size" | "get" | "presignGet">;
}

export function recordingHandlers<Deps extends RecordingHandlerDeps>(
  deps: Deps,
): Handlers<typeof recordingOperations, Deps> {
  const present = (recording: Recording) => presentRecording(recording, deps.clock.now());
  return {
    listRecordings: async ({ caller, query }) => {
      const { skip, limit } = query;
      const filter = given({
        machineId: query.machine_id,
        workflowId: query.workflow_id,
        status: query.status,
        createdAtFrom: query.created_at_from,
        createdAtTo: query.created_at_to,
      });
      const page = await listRecordings(deps, caller, { filter, page: { skip, limit } });
      return { items: page.items.map(present), total: page.total, skip, limit };
    },
    createRecording: async ({ body, write }) =>
      present(
        await write(startRecording, {
          machineId: body.machine_id,
          workflowId: body.workflow_id,
          seconds: body.seconds,
        }),
      ),
    getRecording: async ({ caller, path }) =>
      present(await getRecording(deps, caller, { recordingId: path.recording_id })),
    extendRecording: async ({ path, body, write }) =>
      present(await write(extendRecording, { recordingId: path.recording_id, seconds: body.seconds })),
    finishRecording: async ({ path, body, write, tagged }) => {
      const input = { recordingId: path.recording_id, name: body.name, workflowId: body.workflow_id };
      return tagged(await write(finishRecording, input), async (trajectory) =>
        presentWritten(trajectory, await readContent(deps, trajectory)),
      );
    },
    discardRecording: ({ path, write }) => write(discardRecording, { recordingId: path.recording_id }),
    listRecordedSteps: async ({ caller, path, query }) => {
      const { skip, limit } = query;
      const input = { recordingId: path.recording_id, page: { skip, limit } };
      const page = await listRecordedSteps(deps, caller, input);
      return { items: page.items.map(presentStep), total: page.total, skip, limit };
    },
    getRecordedScreenshot: async ({ c, caller, path }) => {
      const input = { recordingId: path.recording_id, index: path.index };
      const download = await getRecordedScreenshot(deps, caller, input);
      if (download.kind === "link") return c.redirect(download.link.url, 307);
      return c.body(Uint8Array.from(download.bytes), 200, { "Content-Type": "image/png" });
    },
  };
}

function presentRecording(recording: Recording, nowMs: number): wire.Recording {
  return {
    id: recording.id,
    organization_id: recording.organizationId,
    machine_id: recording.machineId,
    workflow_id: recording.workflowId,
    status: statusOf(recording, nowMs),
    by: { kind: recording.by.kind, id: recording.by.id },
    element_count: recording.elementCount,
    input_names: Object.keys(recording.inputValues),
    trajectory_id: recording.trajectoryId,
    created_at: recording.createdAt,
    until: recording.until,
  };
}

function presentStep({ index, action, status, error, screenshot, startedAt }: RunStep): wire.RecordedStep {
  return {
    index,
    action: { ...action },
    status,
    error,
    screenshot: screenshot && { ...screenshot },
    started_at: startedAt,
  };
}
