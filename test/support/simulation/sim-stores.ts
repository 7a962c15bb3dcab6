import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { isPassing } from "../../../shared/aws/aws-failure.ts";
import type { Clock, Ids } from "../../../shared/domain/clock.ts";
import type { Logger } from "../../../shared/domain/logger.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import type { InputSourceIds } from "../../../shared/domain/run/inputs/input-source-store.ts";
import { createWaitingRuns } from "../../../shared/domain/run/waiting/cancel-waiting-runs.ts";
import type { InputChecker } from "../../../shared/domain/workflow/input-checker.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { testEncryption as encryption } from "../fakes/fake-data-key.ts";
import { InMemoryExecutions } from "../fakes/in-memory-executions.ts";
import { InMemoryFileStore } from "../fakes/in-memory-file-store.ts";
import { InMemorySecretStore } from "../fakes/in-memory-secret-store.ts";
import { InMemorySetAside } from "../fakes/in-memory-set-aside.ts";
import { tableStores } from "../stores/table-stores.ts";

export interface SimStoresOptions {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly organizationExecutionsMax: number;
  readonly serviceExecutionsMax: number | undefined;
  readonly workflows: ReadonlyMap<string, Workflow>;
}

/** Accepts all inputs: their errors do not depend on order. */
const checker: InputChecker = {
  check: async () => ({ kind: "valid" }),
  checkSchema: async () => ({ kind: "valid" }),
};

export function simStores({ client, clock, ids, logger, ...given }: SimStoresOptions) {
  // Pauses of half their longest: the scheduler has the choices that matter.
  const random = () => 0.5;
  const table = new DynamoTable({ client, tableName: "model", clock, encryption, random });
  const { organizationExecutionsMax, serviceExecutionsMax } = given;
  const stores = tableStores({ table, clock, organizationExecutionsMax, serviceExecutionsMax });
  return {
    ...stores,
    random,
    ids,
    logger,
    checker,
    waitingRuns: createWaitingRuns(stores),
    secrets: new InMemorySecretStore(clock),
    files: new InMemoryFileStore(clock),
    starter: new InMemoryExecutions(),
    dismissal: { dismiss: async () => {} },
    events: { publish: async () => [] },
    isPassing,
    // Every failure here is transient: records set aside would be found missing.
    setAside: new InMemorySetAside(),
    inputChecker: checker,
    // Creation checks no inputs here: the assignment does.
    inputSources: {
      read: async (_: OrganizationId, { workflowId }: Pick<InputSourceIds, "workflowId">) => ({
        workflow: given.workflows.get(workflowId),
        machine: undefined,
        pools: [],
      }),
      settings: async () =>
        new Map(
          [...given.workflows].map(([id, { executor, isWebhooksEnabled }]) => [
            id,
            { executor, isWebhooksEnabled },
          ]),
        ),
    },
  };
}

export type SimStores = ReturnType<typeof simStores>;
