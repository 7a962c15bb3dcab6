import type { HintedMachine, HintedRun } from "../../domain/live/hint.ts";
import type { HintReader } from "../../domain/live/read-hints.ts";
import { machineStatus } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { machineRow } from "../machine/machine-item.ts";
import { runRow } from "../run/run-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { machineKey, runKey } from "../table/keys.ts";

const hintedRun = runRow.pick(
  "id",
  "organizationId",
  "workflowId",
  "machineId",
  "status",
  "held",
  "executor",
  "assignmentId",
  "deletedAt",
  "revision",
);

const hintedMachine = machineRow.pick(
  "id",
  "outOfService",
  "connection",
  "currentRunId",
  "deletedAt",
  "revision",
);

export class DynamoHintReader extends DynamoStore implements HintReader {
  async readRuns(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly HintedRun[]> {
    const keys = ids.map((id) => runKey(organizationId, id));
    const items = await this.table.batchGet(keys, hintedRun.attributes());
    return items.map(hintedRun.parse).filter(({ deletedAt }) => deletedAt === null);
  }

  async readMachines(
    organizationId: OrganizationId,
    ids: readonly string[],
  ): Promise<readonly HintedMachine[]> {
    const keys = ids.map((id) => machineKey(organizationId, id));
    const items = await this.table.batchGet(keys, hintedMachine.attributes());
    const living = items.map(hintedMachine.parse).filter(({ deletedAt }) => deletedAt === null);
    return living.map(({ id, outOfService, connection, currentRunId, revision }) => {
      return { id, status: machineStatus({ outOfService, connection }), currentRunId, revision };
    });
  }
}
