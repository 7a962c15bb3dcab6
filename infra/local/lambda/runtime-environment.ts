import type { Credentials } from "../aws/credentials.ts";
import type { FunctionModel } from "../template/application.ts";
import { type AddressBook, mapAddresses } from "./address-book.ts";

export type RuntimeEnvironmentInput = {
  readonly fn: FunctionModel;
  readonly credentials: Credentials;
  readonly awsEndpointUrl: string;
  readonly addresses: AddressBook;
  readonly workerName: string;
  readonly logStreamName: string;
};

export function logGroupName(functionName: string): string {
  return `/aws/lambda/${functionName}`;
}

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
export function runtimeEnvironment(input: RuntimeEnvironmentInput): Readonly<Record<string, string>> {
  const { fn, credentials } = input;
  const declared = Object.entries(fn.environment).map(([name, value]) => [
    name,
    mapAddresses(input.addresses, value),
  ]);
  return {
    ...Object.fromEntries(declared),
    _HANDLER: fn.handler,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_REGION: fn.region,
    AWS_DEFAULT_REGION: fn.region,
    AWS_ENDPOINT_URL: input.awsEndpointUrl,
    AWS_EXECUTION_ENV: `AWS_Lambda_${fn.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: logGroupName(fn.name),
    AWS_LAMBDA_LOG_STREAM_NAME: input.logStreamName,
    AWS_XRAY_CONTEXT_MISSING: "LOG_ERROR",
    LAMBDA_TASK_ROOT: fn.folder,
    LAMBDA_RUNTIME_DIR: "/var/runtime",
    LANG: "en_US.UTF-8",
    PATH: "/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin",
    TZ: ":UTC",
    // Lambda does not set it: tests end the environment that this name in the user agent identifies.
    AWS_SDK_UA_APP_ID: input.workerName,
    // Lambda does not set it: a webhook's receiver on the local stack listens on this machine.
    WEBHOOKS_TO_LOOPBACK: "true",
    // Lambda does not set it: calls that are tried anew while the processors are busy make them busier.
    TABLE_ATTEMPT_MS: "4000",
    // Lambda's file system has neither; here the SDK would read the user's own.
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  };
}
