import type { TestProject } from "vitest/node";
import { startDynamoDbLocal } from "../../infra/local/aws/dynamodb/dynamodb-local.ts";

declare module "vitest" {
  export interface ProvidedContext {
    dynamoDbUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const local = await startDynamoDbLocal();
  project.provide("dynamoDbUrl", local.url);
  return () => local.stop();
}
