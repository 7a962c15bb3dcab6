import type { EventSourceModel, FunctionModel } from "./application.ts";
import { findFunction } from "./function-references.ts";
import {
  asList,
  asObject,
  asString,
  isObject,
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
