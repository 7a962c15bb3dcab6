import { absentFileStore } from "../../shared/files/absent-file-store.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { accessVariables, createAccessParts } from "../../shared/runtime/create-http-parts.ts";
import { createTunnelParts, tunnelVariables } from "../../shared/runtime/create-tunnel-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createMachineHealthApp } from "./app.ts";

const env = readEnvironment([...accessVariables, ...tunnelVariables]);
const { http, ...shared } = createAccessParts(env);
const tunnel = createTunnelParts({ env, http, ...shared, files: absentFileStore });

export const handler = lambdaHandler(createMachineHealthApp({ ...http, ...tunnel }), http);
