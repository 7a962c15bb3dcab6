import type { EventRuleModel, EventSourceModel, FunctionModel, ScheduleModel } from "./application.ts";
import { findFunction } from "./function-references.ts";
import {
  asList,
  asObject,
  asString,
  isObject,
  type Json,
  type JsonObject,
  optionalBoolean,
  optionalNumber,
  optionalString,
  TemplateError,
} from "./json.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

/** Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html */
const defaultBatchSize = 100;
const withoutLimit = -1;

const functionArn = /^arn:[^:]+:lambda:/;

function readFilters(resource: ResolvedResource): readonly JsonObject[] {
  return asList(asObject(resource.properties.FilterCriteria).Filters).map((filter) => {
    const pattern: unknown = JSON.parse(asString(asObject(filter).Pattern, `${resource.address} Pattern`));
    if (!isObject(pattern)) throw new TemplateError(`a filter of ${resource.address} is not an object`);
    return pattern;
  });
}

export function readEventSource(
  resource: ResolvedResource,
  functions: readonly FunctionModel[],
  report: (problem: string) => void,
): EventSourceModel | undefined {
  const { properties, address } = resource;
  const sourceArn = asString(properties.EventSourceArn, `${address} EventSourceArn`);
  if (!/^arn:[^:]+:dynamodb:.*\/stream\//.test(sourceArn)) {
    report(`the event source ${sourceArn} of ${address} is not fed by the local stack`);
    return undefined;
  }
  if ((optionalNumber(properties.MaximumBatchingWindowInSeconds) ?? 0) > 0) {
    report(`${address} hands on what it has read at once here, whatever its batching window`);
  }
  return {
    address,
    functionAddress: findFunction(functions, asString(properties.FunctionName, address)),
    sourceArn,
    enabled: optionalBoolean(properties.Enabled) ?? true,
    batchSize: optionalNumber(properties.BatchSize) ?? defaultBatchSize,
    parallelizationFactor: optionalNumber(properties.ParallelizationFactor) ?? 1,
    startingPosition: properties.StartingPosition === "LATEST" ? "LATEST" : "TRIM_HORIZON",
    filters: readFilters(resource),
    bisectsOnError: optionalBoolean(properties.BisectBatchOnFunctionError) ?? false,
    reportsBatchItemFailures: asList(properties.FunctionResponseTypes).includes("ReportBatchItemFailures"),
    retryAttemptsMax: optionalNumber(properties.MaximumRetryAttempts) ?? withoutLimit,
    recordAgeSecondsMax: optionalNumber(properties.MaximumRecordAgeInSeconds) ?? withoutLimit,
    onFailureArn: optionalString(asObject(asObject(properties.DestinationConfig).OnFailure).Destination),
  };
}

type Target = EventRuleModel["targets"][number];

/** The local default bus has no other source. */
const ownSource = "aws.lambda";

export function readEventRule(
  { properties, address }: ResolvedResource,
  functions: readonly FunctionModel[],
  report: (problem: string) => void,
): EventRuleModel | undefined {
  const { EventPattern: pattern, EventBusName: bus = "default", State: state } = properties;
  if (!isObject(pattern) || bus !== "default" || !asList(pattern.source).includes(ownSource)) {
    report(`the rule ${address} matches events, which the local stack hands to nobody`);
    return undefined;
  }
  const targets = asList(properties.Targets).flatMap((each): readonly Target[] => {
    const target = asObject(each);
    const arn = asString(target.Arn, `${address} Target`);
    const isWhole = ["Input", "InputPath", "InputTransformer"].every((name) => target[name] === undefined);
    if (isWhole && /^arn:[^:]+:sqs:/.test(arn)) return [{ functionAddress: undefined, queueArn: arn }];
    if (isWhole && functionArn.test(arn))
      return [{ functionAddress: findFunction(functions, arn), queueArn: undefined }];
    report(`the target ${arn} of ${address} is given no events by the local stack`);
    return [];
  });
  return { address, pattern, enabled: state !== "DISABLED", targets };
}

export function readSchedules(
  resource: ResolvedResource,
  functions: readonly FunctionModel[],
  report: (problem: string) => void,
): readonly ScheduleModel[] {
  const { properties, address } = resource;
  const expression = optionalString(properties.ScheduleExpression);
  if (expression === undefined) return [];
  const targets =
    resource.type === "AWS::Scheduler::Schedule" ? [properties.Target] : asList(properties.Targets);
  return targets.map(asObject).flatMap((target): readonly ScheduleModel[] => {
    const arn = asString(target.Arn, `${address} Target`);
    if (!functionArn.test(arn)) {
      report(`the target ${arn} of ${address} is not invoked by the local stack`);
      return [];
    }
    const input = optionalString(target.Input);
    return [
      {
        address,
        name: resource.ref,
        expression,
        enabled: properties.State !== "DISABLED",
        functionAddress: findFunction(functions, arn),
        input: input === undefined ? undefined : (JSON.parse(input) as Json),
      },
    ];
  });
}
