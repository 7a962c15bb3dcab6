import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { DynamoTagStore } from "../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { createWorkflowsApp } from "./app.ts";

const { http, table } = createHttpParts(readEnvironment(httpVariables));
const stored = { table, clock: http.clock };
const stores = { tags: new DynamoTagStore(stored), workflows: new DynamoWorkflowStore(stored) };

const inputChecker = new AjvInputChecker(http);

export const handler = lambdaHandler(createWorkflowsApp({ ...http, ...stores, inputChecker }), http);
