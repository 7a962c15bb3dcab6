import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from "@aws-sdk/client-codedeploy";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { failedVersions, type Versions } from "./check-versions.ts";
import { handleEvent, type SyntheticParts } from "./handle-event.ts";
import { runSmallest } from "./run-smallest.ts";

const { BASE_URL = "", KEY_SECRET = "", VERSIONS = "{}" } = process.env;
const codeDeploy = new CodeDeployClient({});
const lambda = new LambdaClient({});
const secrets = new SecretsManagerClient({});

/** It is read each time, so that the operator can replace it. */
async function readKey(): Promise<string> {
  const { SecretString = "" } = await secrets.send(new GetSecretValueCommand({ SecretId: KEY_SECRET }));
  return SecretString.trim();
}

const parts: SyntheticParts = {
  runSmallest: async (report) => runSmallest({ url: BASE_URL, key: await readKey(), report }),
  failedVersions: async () =>
    failedVersions({
      versions: JSON.parse(VERSIONS) as Versions,
      key: await readKey(),
      invoke: async (version, event) => {
        const { FunctionError: functionError, Payload: payload } = await lambda.send(
          new InvokeCommand({ FunctionName: version, Payload: JSON.stringify(event) }),
        );
        return { functionError, payload: new TextDecoder().decode(payload) };
      },
    }),
  tellCodeDeploy: ({ DeploymentId, LifecycleEventHookExecutionId }, status) =>
    codeDeploy.send(
      new PutLifecycleEventHookExecutionStatusCommand({
        deploymentId: DeploymentId,
        lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
        status,
      }),
    ),
  log: (message, fields) => {
    process.stdout.write(`${JSON.stringify({ level: "info", message, ...fields })}\n`);
  },
};

export const handler = (event: unknown): Promise<void> => handleEvent(event, parts);
