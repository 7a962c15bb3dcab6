import type { DurableModel, FunctionModel, RoleModel } from "./application.ts";
import { asObject, asString, isObject, optionalNumber, optionalString, TemplateError } from "./json.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

/** Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-function.html */
const defaultTimeoutSeconds = 3;
const defaultMemoryMb = 128;

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const defaultAsyncRetries = 2;
const defaultEventAgeSeconds = 6 * 3_600;

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const environmentBytesMax = 4_096;

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const reservedVariables =
  /^(_HANDLER|_X_AMZN_TRACE_ID|AWS_(DEFAULT_REGION|REGION|EXECUTION_ENV|LAMBDA_.*|ACCESS_KEY(_ID)?|SECRET_ACCESS_KEY|SESSION_TOKEN)|LAMBDA_(TASK_ROOT|RUNTIME_DIR))$/;

function readEnvironment(resource: ResolvedResource): Record<string, string> {
  const variables = Object.entries(asObject(asObject(resource.properties.Environment).Variables)).map(
    ([name, value]): [string, string] => [name, asString(value, `${resource.address} ${name}`)],
  );
  const reserved = variables.find(
    ([name]) => reservedVariables.test(name) && name !== "AWS_LAMBDA_EXEC_WRAPPER",
  );
  if (reserved !== undefined) {
    throw new TemplateError(`${resource.address} sets ${reserved[0]}, which Lambda keeps to itself`);
  }
  const bytes = variables.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  if (bytes > environmentBytesMax) {
    throw new TemplateError(
      `${resource.address} has ${bytes} bytes of environment, Lambda takes ${environmentBytesMax}`,
    );
  }
  return Object.fromEntries(variables);
}

function readAsyncRules(
  resources: readonly ResolvedResource[],
  name: string,
): Pick<FunctionModel, "asyncRetriesMax" | "asyncEventAgeMaxMs"> {
  const config = resources.find(
    ({ type, properties }) => type === "AWS::Lambda::EventInvokeConfig" && properties.FunctionName === name,
  );
  const ageSeconds = optionalNumber(config?.properties.MaximumEventAgeInSeconds) ?? defaultEventAgeSeconds;
  return {
    asyncRetriesMax: optionalNumber(config?.properties.MaximumRetryAttempts) ?? defaultAsyncRetries,
    asyncEventAgeMaxMs: ageSeconds * 1_000,
  };
}

function readQualifiers(
  resources: readonly ResolvedResource[],
  { ref: name, address }: ResolvedResource,
): Pick<FunctionModel, "versions" | "aliases"> {
  const of = (type: string): readonly ResolvedResource[] =>
    resources.filter((each) => each.type === type && each.properties.FunctionName === name);
  const published = of("AWS::Lambda::Version");
  if (published.length > 1)
    throw new TemplateError(`${address} publishes the same code twice, which AWS refuses`);
  const versions = published.map(({ attribute }) => asString(attribute("Version"), `${address} Version`));
  const aliases = of("AWS::Lambda::Alias").map(({ properties, address: alias }): [string, string] => [
    asString(properties.Name, `${alias} Name`),
    asString(properties.FunctionVersion, `${alias} FunctionVersion`),
  ]);
  return { versions, aliases: Object.fromEntries(aliases) };
}

export function readFunction(
  resource: ResolvedResource,
  resources: readonly ResolvedResource[],
  roles: ReadonlyMap<string, RoleModel>,
  report: (problem: string) => void,
): FunctionModel | undefined {
  const { properties } = resource;
  const key = optionalString(asObject(properties.Code).S3Key);
  const folder = key === undefined ? undefined : resource.assets.get(key);
  const runtime = optionalString(properties.Runtime) ?? "";
  if (folder === undefined || !runtime.startsWith("nodejs")) {
    report(`the function ${resource.address} is not a Node bundle of this app and is not run`);
    return undefined;
  }
  const roleArn = asString(properties.Role, `${resource.address} Role`);
  const role = roles.get(roleArn);
  if (role === undefined) throw new TemplateError(`the role of ${resource.address} is not in the template`);
  return {
    address: resource.address,
    logicalId: resource.logicalId,
    shortName: resource.logicalId.replace(/(Function)?[0-9A-F]{8}$/, ""),
    name: resource.ref,
    arn: asString(resource.attribute("Arn"), resource.address),
    region: resource.place.region,
    folder,
    handler: asString(properties.Handler, `${resource.address} Handler`),
    runtime,
    environment: readEnvironment(resource),
    timeoutSeconds: optionalNumber(properties.Timeout) ?? defaultTimeoutSeconds,
    memoryMb: optionalNumber(properties.MemorySize) ?? defaultMemoryMb,
    reservedConcurrency: optionalNumber(properties.ReservedConcurrentExecutions),
    ...readAsyncRules(resources, resource.ref),
    ...readQualifiers(resources, resource),
    durable: readDurable(resource, resources, report),
    role,
    callers: readCallers(resource, resources, roles),
  };
}

function readCallers(
  { ref, attribute }: ResolvedResource,
  resources: readonly ResolvedResource[],
  roles: ReadonlyMap<string, RoleModel>,
): readonly string[] {
  const names: readonly unknown[] = [ref, attribute("Arn")];
  return resources
    .filter(({ type, properties }) => {
      return type === "AWS::Lambda::Permission" && names.includes(properties.FunctionName);
    })
    .flatMap(({ properties }) => roles.get(String(properties.Principal))?.name ?? []);
}

/** Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-lambda-function-durableconfig.html */
const defaultRetentionDays = 14;

function readDurable(
  { properties, address, ref: name }: ResolvedResource,
  resources: readonly ResolvedResource[],
  report: (problem: string) => void,
): DurableModel | undefined {
  const { DurableConfig: config } = properties;
  if (!isObject(config)) return undefined;
  const executionTimeoutSeconds = optionalNumber(config.ExecutionTimeout);
  if (executionTimeoutSeconds === undefined) throw new TemplateError(`${address} has no ExecutionTimeout`);
  const queue = (arn: string | undefined): string | undefined => {
    if (arn === undefined || /^arn:[^:]+:sqs:/.test(arn)) return arn;
    report(`${arn} is told by the local stack of no failed execution of ${address}`);
    return undefined;
  };
  const destinations = resources
    .filter((each) => each.type === "AWS::Lambda::EventInvokeConfig" && each.properties.FunctionName === name)
    .map((each) => asObject(asObject(each.properties.DestinationConfig).OnFailure).Destination);
  return {
    executionTimeoutSeconds,
    retentionDays: optionalNumber(config.RetentionPeriodInDays) ?? defaultRetentionDays,
    deadLetterArn: queue(optionalString(asObject(properties.DeadLetterConfig).TargetArn)),
    onFailureArn: queue(destinations.map(optionalString).find((arn) => arn !== undefined)),
  };
}
