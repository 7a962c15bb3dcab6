import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { createModelConfigurationsApp } from "./app.ts";

const { http, table } = createHttpParts(readEnvironment(httpVariables));
const modelConfigurations = new DynamoModelConfigurationStore({ table, clock: http.clock });

export const handler = lambdaHandler(createModelConfigurationsApp({ ...http, modelConfigurations }), http);
