import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { mintOwnApiKey } from "../../shared/secrets/api-key-text.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { createApiKeysApp } from "./app.ts";

const { http, table } = createHttpParts(readEnvironment(httpVariables));
const apiKeys = new DynamoApiKeyStore({ table, clock: http.clock });

export const handler = lambdaHandler(createApiKeysApp({ ...http, apiKeys, mintApiKey: mintOwnApiKey }), http);
