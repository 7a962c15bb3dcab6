import { afterAll, beforeAll, inject } from "vitest";
import { type AwsEndpoint, startAwsEndpoint } from "../../infra/local/aws/aws-endpoint.ts";

export function useAwsStandIn(): () => AwsEndpoint {
  let endpoint: AwsEndpoint | undefined;
  beforeAll(async () => {
    const url = inject("dynamoDbUrl");
    endpoint = await startAwsEndpoint({
      dynamoDbLocal: { url, port: Number(new URL(url).port), stop: async () => undefined },
    });
  });
  afterAll(async () => {
    await endpoint?.stop();
  });
  return () => {
    if (!endpoint) throw new Error("the stand-in is there once a test runs");
    return endpoint;
  };
}
