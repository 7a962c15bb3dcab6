import type { BucketCors } from "../aws/s3/bucket-cors.ts";
import type {
  Application,
  BucketModel,
  QueueModel,
  ResourceModel,
  SecretModel,
  TableModel,
} from "./application.ts";
import { readCloudAssembly } from "./cloud-assembly.ts";
import { generateSecretString } from "./generate-secret.ts";
import {
  asList,
  asObject,
  asString,
  isObject,
  optionalNumber,
  optionalString,
  TemplateError,
} from "./json.ts";
import { physicalName } from "./physical-names.ts";
import { findMissingPermissions, readApis, readEdge } from "./read-apis.ts";
import { readEventRule, readEventSource, readSchedules } from "./read-event-sources.ts";
import { readFunction } from "./read-functions.ts";
import { readRoles } from "./read-roles.ts";
import { runHere, withoutEffectHere } from "./resource-types.ts";
import { type ResolvedResource, resolveStacks } from "./stack-resolver.ts";

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** @throws {TemplateError} for a template that AWS would refuse, or whose functions are unknown here. */
export function readApplication(folder: string): Application {
  const problems: string[] = [];
  const report = (problem: string): void => {
    problems.push(problem);
  };
  const resources = resolveStacks(readCloudAssembly(folder));
  for (const { type, address } of resources) {
    if (!runHere.has(type) && !withoutEffectHere.has(type)) {
      report(`${address} is a ${type}, which the local stack does not run`);
    }
  }
  const ofType = (...types: readonly string[]): readonly ResolvedResource[] =>
    resources.filter((resource) => types.includes(resource.type));

  const roles = readRoles(resources, report);
  const functions = ofType("AWS::Lambda::Function")
    .map((resource) => readFunction(resource, resources, roles, report))
    .filter(isDefined);
  const apis = readApis(resources, functions, report);
  const schedules = ofType("AWS::Events::Rule", "AWS::Scheduler::Schedule").flatMap((resource) =>
    readSchedules(resource, functions, report),
  );
  const eventRules = ofType("AWS::Events::Rule")
    .filter(({ properties }) => properties.ScheduleExpression === undefined)
    .map((resource) => readEventRule(resource, functions, report))
    .filter(isDefined);
  const rules = new Set(ofType("AWS::Events::Rule").map(({ address }) => address));
  const callers = [
    ...apis.flatMap((api) =>
      api.routes.map(({ routeKey, functionAddress }) => ({
        principal: "apigateway.amazonaws.com",
        functionAddress,
        what: `${api.address} ${routeKey}`,
      })),
    ),
    ...eventRules.flatMap(({ address, targets }) =>
      targets.flatMap(({ functionAddress }) =>
        functionAddress === undefined
          ? []
          : [{ principal: "events.amazonaws.com", functionAddress, what: address }],
      ),
    ),
    // Scheduler assumes a role instead; only a rule needs the function's own permission.
    ...schedules
      .filter(({ address }) => rules.has(address))
      .map(({ address, functionAddress }) => ({
        principal: "events.amazonaws.com",
        functionAddress,
        what: address,
      })),
  ];
  problems.push(...new Set(findMissingPermissions(resources, functions, callers)));
  return {
    functions,
    tables: ofType("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable").map(readTable),
    buckets: ofType("AWS::S3::Bucket").map(readBucket),
    secrets: ofType("AWS::SecretsManager::Secret").map(readSecret),
    queues: ofType("AWS::SQS::Queue").map(readQueue),
    eventBuses: ofType("AWS::Events::EventBus").map(readNamed),
    httpApis: apis.filter(({ protocol }) => protocol === "HTTP"),
    webSocketApis: apis.filter(({ protocol }) => protocol === "WEBSOCKET"),
    edges: ofType("AWS::CloudFront::Distribution").map(readEdge),
    eventSources: ofType("AWS::Lambda::EventSourceMapping")
      .map((resource) => readEventSource(resource, functions, report))
      .filter(isDefined),
    schedules,
    eventRules,
    problems,
  };
}

function attribute(resource: ResolvedResource, name: string): string {
  return asString(resource.attribute(name), `${resource.address} ${name}`);
}

function readNamed(resource: ResolvedResource): ResourceModel {
  return { address: resource.address, name: resource.ref, arn: attribute(resource, "Arn") };
}

function readBucket(resource: ResolvedResource): BucketModel {
  return { ...readNamed(resource), cors: readBucketCors(resource) };
}

function readBucketCors({ address, properties }: ResolvedResource): BucketCors | undefined {
  if (properties.CorsConfiguration === undefined) return undefined;
  const [rule, ...others] = asList(asObject(properties.CorsConfiguration).CorsRules);
  if (rule === undefined || others.length > 0) throw new TemplateError(`${address} has more rules than one`);
  const given = asObject(rule);
  const texts = (name: string) => asList(given[name]).map((text) => asString(text, `${address} ${name}`));
  if (texts("AllowedHeaders").join() !== "*")
    throw new TemplateError(`${address} does not allow all headers`);
  return {
    allowOrigins: texts("AllowedOrigins"),
    allowMethods: texts("AllowedMethods"),
    maxAgeSeconds: optionalNumber(given.MaxAge) ?? 0,
  };
}

function readTable(resource: ResolvedResource): TableModel {
  const { properties } = resource;
  return { ...readNamed(resource), streamArn: attribute(resource, "StreamArn"), properties };
}

function readSecret(resource: ResolvedResource): SecretModel {
  const { GenerateSecretString: rules, SecretString: given, Name: name } = resource.properties;
  return {
    address: resource.address,
    name: optionalString(name) ?? physicalName(resource.place, resource.logicalId, 500),
    arn: resource.ref,
    value: optionalString(given) ?? (isObject(rules) ? generateSecretString(asObject(rules)) : undefined),
  };
}

function readQueue(resource: ResolvedResource): QueueModel {
  const { ref: url, properties } = resource;
  return { ...readNamed(resource), name: attribute(resource, "QueueName"), url, properties };
}
