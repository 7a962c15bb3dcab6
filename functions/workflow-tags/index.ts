import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { DynamoTagStore } from "../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { createWorkflowTagsApp } from "./app.ts";

const { http, table } = createHttpParts(readEnvironment(httpVariables));
const stored = { table, clock: http.clock };
const stores = { tags: new DynamoTagStore(stored), workflows: new DynamoWorkflowStore(stored) };

export const handler = lambdaHandler(createWorkflowTagsApp({ ...http, ...stores }), http);
