import type { QueueModel, ResourceModel, SecretModel, TableModel } from "./application.ts";
import { generateSecretString } from "./generate-secret.ts";
import { asObject, asString, isObject, optionalString } from "./json.ts";
import { physicalName } from "./physical-names.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

function attribute(resource: ResolvedResource, name: string): string {
  return asString(resource.attribute(name), `${resource.address} ${name}`);
}

export function readNamed(resource: ResolvedResource): ResourceModel {
  return { address: resource.address, name: resource.ref, arn: attribute(resource, "Arn") };
}

export function readTable(resource: ResolvedResource): TableModel {
  const { properties } = resource;
  return { ...readNamed(resource), streamArn: attribute(resource, "StreamArn"), properties };
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
  const { ref: url, properties } = resource;
  return { ...readNamed(resource), name: attribute(resource, "QueueName"), url, properties };
}
