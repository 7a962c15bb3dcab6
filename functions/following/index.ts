import { serviceCalls } from "../../shared/aws/metered.ts";
import { createS3Client } from "../../shared/aws/s3-client.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { accessVariables, createAccessParts } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoExecutionStore } from "../../shared/storage/execution/dynamo-execution-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoWaitingView } from "../../shared/storage/waiting/dynamo-waiting-view.ts";
import { DynamoWaitingPlaces } from "../../shared/storage/waiting-places/dynamo-waiting-places.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { createFollowingApp } from "./app.ts";

const env = readEnvironment([
  ...accessVariables,
  "BUCKET_NAME",
  "ORGANIZATION_EXECUTIONS_MAX",
  "SERVICE_EXECUTIONS_MAX",
  "WAITS_MAX",
]);
const { http, table } = createAccessParts(env);
const stored = { table, clock: http.clock };

export const handler = lambdaHandler(
  createFollowingApp({
    ...http,
    calls: serviceCalls,
    waitingPlaces: new DynamoWaitingPlaces({ ...stored, waitKind: "run", waitsMax: env.WAITS_MAX }),
    runs: new DynamoRunStore(stored),
    executions: new DynamoExecutionStore(stored),
    workflows: new DynamoWorkflowStore(stored),
    machines: new DynamoMachineStore(stored),
    pools: new DynamoPoolStore(stored),
    waitingView: new DynamoWaitingView({
      table,
      organizationExecutionsMax: env.ORGANIZATION_EXECUTIONS_MAX,
      serviceExecutionsMax: env.SERVICE_EXECUTIONS_MAX,
    }),
    files: new S3FileStore({ client: createS3Client(), bucket: env.BUCKET_NAME }),
  }),
  http,
);
