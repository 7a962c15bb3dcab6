import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { createS3Client } from "../../shared/aws/s3-client.ts";
import { LambdaCallbacks } from "../../shared/execution/lambda-callbacks.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { zodTrajectoryReader } from "../../shared/schema/zod-trajectory-reader.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoAttachmentStore } from "../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoExecutionStore } from "../../shared/storage/execution/dynamo-execution-store.ts";
import { DynamoHoldStore } from "../../shared/storage/hold/dynamo-hold-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoIndexedKeyStore } from "../../shared/storage/run/dynamo-indexed-key-store.ts";
import { DynamoInputSourceStore } from "../../shared/storage/run/dynamo-input-source-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSecretOwnerStore } from "../../shared/storage/run/dynamo-secret-owner-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { DynamoTrajectoryStore } from "../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoUsageStore } from "../../shared/storage/usage/dynamo-usage-store.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { createRunsApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "BUCKET_NAME"]);
const { http, table, secretsClient } = createHttpParts(env);
const stored = { table, clock: http.clock };

export const handler = lambdaHandler(
  createRunsApp({
    ...http,
    runs: new DynamoRunStore(stored),
    indexedKeys: new DynamoIndexedKeyStore(stored),
    attachments: new DynamoAttachmentStore(stored),
    modelConfigurations: new DynamoModelConfigurationStore(stored),
    workflows: new DynamoWorkflowStore(stored),
    machines: new DynamoMachineStore(stored),
    pools: new DynamoPoolStore(stored),
    secretOwners: new DynamoSecretOwnerStore(stored),
    trajectories: new DynamoTrajectoryStore(stored),
    trajectoryReader: zodTrajectoryReader,
    usage: new DynamoUsageStore(stored),
    executions: new DynamoExecutionStore(stored),
    holds: new DynamoHoldStore(stored),
    callbacks: new LambdaCallbacks({ client: createLambdaClient() }),
    inputSources: new DynamoInputSourceStore(stored),
    inputChecker: new AjvInputChecker(http),
    files: new S3FileStore({
      client: createS3Client(),
      bucket: env.BUCKET_NAME,
      tableId: rememberedTableId(table),
    }),
    secrets: new SecretsManagerSecretStore({ client: secretsClient, deployment: env.DEPLOYMENT }),
  }),
  http,
);
