import type { Recording } from "../../domain/demonstration/recording.ts";
import type { MachineHold } from "../../domain/hold/hold.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type { RunStep } from "../../domain/run-step/run-step.ts";
import { recordingStatuses } from "../../vocabulary/recordings.ts";
import { stepFields } from "../execution/execution-item.ts";
import { machineRow } from "../machine/machine-item.ts";
import { hasValue, update, type Write } from "../table/expression.ts";
import { createdAttributes, dueRow, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { machineKey, recordedStepKey, recordingKey } from "../table/keys.ts";
import { json, number, oneOf, orElse, orNull, revisedFields, row, text } from "../table/row.ts";

export const recordingRow = row<Recording>("recording", {
  ...revisedFields,
  userId: text,
  machineId: text,
  workflowId: orNull(text),
  by: json<Recording["by"]>(),
  status: oneOf(recordingStatuses),
  until: text,
  elementCount: number,
  lastIndex: number,
  lastPicture: orNull(text),
  painted: orElse(json<Recording["painted"]>(), []),
  inputValues: json<JsonObject>(),
  trajectoryId: orNull(text),
});

/** A recorded step is like one of a run, under the recording's id. */
export const recordedStepRow = row<RunStep>("recorded_step", stepFields);

export function recordingItem(recording: Recording, expiry: Item): Item & Key {
  const { organizationId, id, until } = recording;
  return {
    ...recordingKey(organizationId, id),
    ...recordingRow.write(recording),
    ...createdAttributes(recording, { list: listPartitions.recordings(organizationId) }),
    ...recordingDue(id, until),
    ...expiry,
  };
}

/** The sweeper reads the recording from then on. */
export function recordingDue(id: string, at: string | number) {
  return dueRow("OPEN#RECORDING", id, at);
}

export const notDue = { due_pk: null, due_sk: null } as const;

export function recordedStepItem(step: RunStep, expiry: Item): Item & Key {
  const { organizationId, runId, index } = step;
  return { ...recordedStepKey(organizationId, runId, index), ...recordedStepRow.write(step), ...expiry };
}

/** The machine's hold changes as long as it is the one that was read. */
export function holdWrite(machine: Machine | undefined, held: MachineHold | null): Write | undefined {
  if (machine?.held == null) return undefined;
  return update(
    machineKey(machine.organizationId, machine.id),
    machineRow.change({ held }),
    hasValue("held", JSON.stringify(machine.held)),
  );
}
