import { ApiGatewayManagementApiClient } from "@aws-sdk/client-apigatewaymanagementapi";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { AwsEndpoint } from "../../../infra/local/aws/aws-endpoint.ts";
import { type Credentials, newCredentials } from "../../../infra/local/aws/credentials.ts";

/** The SDK clients of one caller, as a function would make them; no retries, so that counts are exact. */
export function clientsOf(endpoint: AwsEndpoint, credentials: Credentials = endpoint.admin) {
  const config = { endpoint: endpoint.url, region: endpoint.region, credentials, maxAttempts: 1 };
  return {
    dynamoDb: new DynamoDBClient(config),
    s3: new S3Client(config),
    secrets: new SecretsManagerClient(config),
    connections: new ApiGatewayManagementApiClient({ ...config, endpoint: `${endpoint.url}/live` }),
  };
}

export interface Grant {
  /** @default "Allow" */
  readonly Effect?: "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: unknown;
}

export function clientsOfRole(endpoint: AwsEndpoint, functionName: string, grants: readonly Grant[]) {
  const credentials = newCredentials();
  const Statement = grants.map((grant) => ({ Effect: "Allow", ...grant }));
  endpoint.principals.register({ ...credentials, functionName, policies: [{ Statement }] });
  return clientsOf(endpoint, credentials);
}
