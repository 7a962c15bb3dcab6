import { createS3Client } from "../../shared/aws/s3-client.ts";
import { S3FileStore } from "../../shared/files/s3-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { createTunnelParts, tunnelVariables } from "../../shared/runtime/create-tunnel-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createComputerApp } from "./app.ts";

const env = readEnvironment([...httpVariables, ...tunnelVariables, "BUCKET_NAME"]);
const { http, ...shared } = createHttpParts(env);
const files = new S3FileStore({ client: createS3Client(), bucket: env.BUCKET_NAME });
const tunnel = createTunnelParts({ env, http, ...shared, files });

export const handler = lambdaHandler(createComputerApp({ ...http, ...tunnel, files }), http);
