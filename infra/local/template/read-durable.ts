import type { DurableModel } from "./application.ts";
import { asObject, isObject, optionalNumber, optionalString, TemplateError } from "./json.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

/** Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-lambda-function-durableconfig.html */
const defaultRetentionDays = 14;

export function readDurable(
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
