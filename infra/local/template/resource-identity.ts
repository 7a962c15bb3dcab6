import { type Json, type JsonObject, optionalString } from "./json.ts";
import { arn, type Place, physicalName, secretArn, shortHash } from "./physical-names.ts";

export type Identity = { readonly ref: string; readonly attributes: Readonly<Record<string, Json>> };

type Identify = (place: Place, logicalId: string, properties: JsonObject) => Identity;

function named(
  properties: JsonObject,
  property: string,
  place: Place,
  logicalId: string,
  max: number,
): string {
  return optionalString(properties[property]) ?? physicalName(place, logicalId, max);
}

const table: Identify = (place, logicalId, properties) => {
  const name = named(properties, "TableName", place, logicalId, 255);
  const tableArn = arn(place, "dynamodb", `table/${name}`);
  // AWS's label is the time of creation; policies need to name this one before the table exists.
  return {
    ref: name,
    attributes: { Arn: tableArn, TableArn: tableArn, StreamArn: `${tableArn}/stream/local` },
  };
};

const bucket: Identify = (place, logicalId, properties) => {
  const name = named(properties, "BucketName", place, logicalId, 63).toLowerCase();
  return {
    ref: name,
    attributes: {
      Arn: `arn:aws:s3:::${name}`,
      DomainName: `${name}.s3.amazonaws.com`,
      RegionalDomainName: `${name}.s3.${place.region}.amazonaws.com`,
    },
  };
};

const secret: Identify = (place, logicalId, properties) => {
  const id = secretArn(place, optionalString(properties.Name) ?? physicalName(place, logicalId, 500));
  return { ref: id, attributes: { Id: id } };
};

const lambdaFunction: Identify = (place, logicalId, properties) => {
  const name = named(properties, "FunctionName", place, logicalId, 64);
  return { ref: name, attributes: { Arn: arn(place, "lambda", `function:${name}`) } };
};

/** A deployment publishes the code once, so there is one version. */
const publishedVersion = "1";

const version: Identify = (place, _logicalId, properties) => {
  const id = `${functionArn(place, properties)}:${publishedVersion}`;
  return { ref: id, attributes: { FunctionArn: id, Version: publishedVersion } };
};

const alias: Identify = (place, logicalId, properties) => {
  const id = `${functionArn(place, properties)}:${optionalString(properties.Name) ?? logicalId}`;
  return { ref: id, attributes: { AliasArn: id } };
};

function functionArn(place: Place, { FunctionName: name }: JsonObject): string {
  return arn(place, "lambda", `function:${optionalString(name)?.split(":").at(-1) ?? ""}`);
}

const role: Identify = (place, logicalId, properties) => {
  const name = named(properties, "RoleName", place, logicalId, 64);
  return {
    ref: name,
    attributes: {
      Arn: `arn:aws:iam::${place.account}:role/${name}`,
      RoleId: `AROA${shortHash(name).toUpperCase()}`,
    },
  };
};

const managedPolicy: Identify = (place, logicalId, properties) => {
  const name = named(properties, "ManagedPolicyName", place, logicalId, 128);
  const policyArn = `arn:aws:iam::${place.account}:policy/${name}`;
  return { ref: policyArn, attributes: { PolicyArn: policyArn } };
};

const api: Identify = (place, logicalId, properties) => {
  const id = shortHash("api", place.stackName, logicalId);
  const scheme = properties.ProtocolType === "WEBSOCKET" ? "wss" : "https";
  return {
    ref: id,
    attributes: { ApiId: id, ApiEndpoint: `${scheme}://${id}.execute-api.${place.region}.amazonaws.com` },
  };
};

const stage: Identify = (_place, logicalId, properties) => ({
  ref: optionalString(properties.StageName) ?? logicalId,
  attributes: {},
});

const queue: Identify = (place, logicalId, properties) => {
  const fifo = properties.FifoQueue === true ? ".fifo" : "";
  const name =
    optionalString(properties.QueueName) ?? `${physicalName(place, logicalId, 80 - fifo.length)}${fifo}`;
  const url = `https://sqs.${place.region}.amazonaws.com/${place.account}/${name}`;
  return { ref: url, attributes: { Arn: arn(place, "sqs", name), QueueName: name, QueueUrl: url } };
};

const parameter: Identify = (place, logicalId, { Value }) => ({
  ref: physicalName(place, logicalId, 255),
  attributes: { Value: Value ?? null },
});

function simple(service: string, prefix: string, nameProperty: string): Identify {
  return (place, logicalId, properties) => {
    const name = named(properties, nameProperty, place, logicalId, 64);
    const id = arn(place, service, `${prefix}${name}`);
    return { ref: name, attributes: { Arn: id, Name: name, Id: name } };
  };
}

const identities: Readonly<Record<string, Identify>> = {
  "AWS::ApiGatewayV2::Api": api,
  "AWS::ApiGatewayV2::DomainName": (_place, logicalId, properties) => ({
    ref: optionalString(properties.DomainName) ?? logicalId,
    attributes: {},
  }),
  "AWS::ApiGatewayV2::Stage": stage,
  "AWS::DynamoDB::GlobalTable": table,
  "AWS::DynamoDB::Table": table,
  "AWS::Events::EventBus": simple("events", "event-bus/", "Name"),
  "AWS::Events::Rule": simple("events", "rule/", "Name"),
  "AWS::IAM::ManagedPolicy": managedPolicy,
  "AWS::IAM::Role": role,
  "AWS::Lambda::Alias": alias,
  "AWS::Lambda::Function": lambdaFunction,
  "AWS::Lambda::Version": version,
  "AWS::S3::Bucket": bucket,
  "AWS::SQS::Queue": queue,
  "AWS::SSM::Parameter": parameter,
  "AWS::Scheduler::Schedule": simple("scheduler", "schedule/default/", "Name"),
  "AWS::SecretsManager::Secret": secret,
};

/** Returns undefined for a type whose `Ref` only has to be unique. */
export function identify(type: string): Identify | undefined {
  return identities[type];
}
