import { createS3Client } from "../../shared/aws/s3-client.ts";
import { recordOperation } from "../../shared/domain/demonstration/record-operation.ts";
import { recordPersonalSteps } from "../../shared/domain/run-progress/record-personal-steps.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { createTunnelParts, tunnelVariables } from "../../shared/runtime/create-tunnel-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { otpauthCodes } from "../../shared/secrets/otpauth-codes.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoExecutionStore } from "../../shared/storage/execution/dynamo-execution-store.ts";
import { DynamoRecordingStore } from "../../shared/storage/recording/dynamo-recording-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSecretOwnerStore } from "../../shared/storage/run/dynamo-secret-owner-store.ts";
import { DynamoWaitingPlaces } from "../../shared/storage/waiting-places/dynamo-waiting-places.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { createComputerApp } from "./app.ts";

const env = readEnvironment([...httpVariables, ...tunnelVariables, "BUCKET_NAME", "STEP_DAYS", "LOOKS_MAX"]);
const { http, ...shared } = createHttpParts(env);
const files = new S3FileStore({ client: createS3Client(), bucket: env.BUCKET_NAME });
const tunnel = createTunnelParts({ env, http, ...shared, files });
const stored = { table: shared.table, clock: http.clock };
const ofRuns = {
  files,
  executions: new DynamoExecutionStore({ ...stored, stepDays: env.STEP_DAYS }),
  runs: new DynamoRunStore(stored),
  secretOwners: new DynamoSecretOwnerStore(stored),
  secrets: new SecretsManagerSecretStore({ client: shared.secretsClient, deployment: env.DEPLOYMENT }),
};

const recordings = new DynamoRecordingStore({ ...stored, stepDays: env.STEP_DAYS });

export const handler = lambdaHandler(
  createComputerApp({
    ...http,
    ...tunnel,
    ...ofRuns,
    codes: otpauthCodes,
    lookPlaces: new DynamoWaitingPlaces({ ...stored, waitKind: "look", waitsMax: env.LOOKS_MAX }),
    workflows: new DynamoWorkflowStore(stored),
    personalActions: {
      record: async (call) => {
        const deps = { ...http, ...ofRuns, recordings, pictures: pngCodec };
        const record = call.held.recordingId === null ? recordPersonalSteps : recordOperation;
        await record(deps, call);
      },
    },
  }),
  http,
);
