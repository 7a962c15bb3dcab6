import type { BucketModel, EventBusModel, QueueModel, SecretModel, TableModel } from "./application.ts";
import { generateSecretString } from "./generate-secret.ts";
import { asObject, asString, isObject, optionalString } from "./json.ts";
import { physicalName } from "./physical-names.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

function attribute(resource: ResolvedResource, name: string): string {
  return asString(resource.attribute(name), `${resource.address} ${name}`);
}

export function readTable(resource: ResolvedResource): TableModel {
  return {
    address: resource.address,
    name: resource.ref,
    arn: attribute(resource, "Arn"),
    streamArn: attribute(resource, "StreamArn"),
    type:
      resource.type === "AWS::DynamoDB::GlobalTable" ? "AWS::DynamoDB::GlobalTable" : "AWS::DynamoDB::Table",
    properties: resource.properties,
  };
}

export function readBucket(resource: ResolvedResource): BucketModel {
  return {
    address: resource.address,
    name: resource.ref,
    arn: attribute(resource, "Arn"),
    properties: resource.properties,
  };
}

export function readSecret(resource: ResolvedResource): SecretModel {
  const { GenerateSecretString: rules, SecretString: given, Name: name } = resource.properties;
  return {
    address: resource.address,
    name: optionalString(name) ?? physicalName(resource.place, resource.logicalId, 500),
    arn: resource.ref,
    value: optionalString(given) ?? (isObject(rules) ? generateSecretString(asObject(rules)) : undefined),
  };
}

export function readQueue(resource: ResolvedResource): QueueModel {
  return {
    address: resource.address,
    name: attribute(resource, "QueueName"),
    arn: attribute(resource, "Arn"),
    url: resource.ref,
    properties: resource.properties,
  };
}

export function readEventBus(resource: ResolvedResource): EventBusModel {
  return { address: resource.address, name: resource.ref, arn: attribute(resource, "Arn") };
}
