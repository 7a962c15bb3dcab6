import { randomUUID } from "node:crypto";
import type { AwsEndpoint } from "./aws/aws-endpoint.ts";
import { type Credentials, newCredentials } from "./aws/credentials.ts";
import { matchesGlob } from "./aws/glob.ts";
import type { AddressBook } from "./lambda/address-book.ts";
import type { Application, FunctionModel, PolicyDocument, SecretModel } from "./template/application.ts";

export type LocalStreams = ReadonlyMap<string, string>;

/** @throws {Error} when a data folder holds a table of another shape. */
export async function createResources(
  aws: AwsEndpoint,
  app: Application,
  addresses: AddressBook,
): Promise<LocalStreams> {
  for (const secret of app.secrets) ensureSecret(aws, secret);
  for (const { name } of app.eventBuses) aws.createEventBus(name);
  await Promise.all(app.buckets.map(({ name }) => aws.objects.createBucket(name)));
  for (const { name, cors } of app.buckets) {
    if (cors === undefined) continue;
    const allowOrigins = [...cors.allowOrigins, ...localOrigins(cors.allowOrigins, addresses)];
    aws.allowOrigins(name, { ...cors, allowOrigins });
  }
  const streams = await Promise.all(
    app.tables.map(
      async ({ name, properties, streamArn: declared }): Promise<readonly [string, string][]> => {
        const { streamArn } = await aws.createTable(properties, name);
        return streamArn === undefined ? [] : [[declared, streamArn]];
      },
    ),
  );
  return new Map(streams.flat());
}

/** A browser here has loaded the API's pages from its local address. */
function localOrigins(allowed: readonly string[], addresses: AddressBook): readonly string[] {
  const ofPages = addresses.filter(({ from }) => allowed.some((origin) => matchesGlob(origin, from)));
  return [...new Set(ofPages.map(({ to }) => to))];
}

function ensureSecret(aws: AwsEndpoint, { name, arn, value }: SecretModel): void {
  if (aws.secrets.find(name) !== undefined) return;
  const now = Date.now();
  const version = { versionId: randomUUID(), createdAtMs: now, stages: ["AWSCURRENT"] };
  aws.secrets.put({
    arn,
    name,
    tags: {},
    createdAtMs: now,
    changedAtMs: now,
    versions: value === undefined ? [] : [{ ...version, secretString: value }],
  });
}

/** DynamoDB Local chooses the label of the stream. */
function withLocalStreams(policies: readonly PolicyDocument[], streams: LocalStreams): readonly unknown[] {
  let text = JSON.stringify(policies);
  for (const [declared, local] of streams) {
    const label = local.slice(local.lastIndexOf("/"));
    text = text.replaceAll(`${declared}"`, `${declared.slice(0, declared.lastIndexOf("/"))}${label}"`);
  }
  return JSON.parse(text) as unknown[];
}

export function registerRole(
  aws: AwsEndpoint,
  fn: FunctionModel,
  streams: LocalStreams,
  callerName: string = fn.shortName,
): Credentials {
  const credentials = newCredentials();
  const policies = withLocalStreams(fn.role.policies, streams);
  aws.principals.register({ ...credentials, functionName: callerName, roleName: fn.role.name, policies });
  return credentials;
}
