import { createHttpGateway, type HttpGatewayOptions } from "./gateway/http-gateway.ts";
import type { Invoke } from "./gateway/invoke.ts";
import { type RunningGateway, startGateway } from "./gateway/start-gateway.ts";
import type { Throttle } from "./gateway/token-bucket.ts";
import { WebSocketGateway } from "./gateway/websocket-gateway.ts";
import type { ApiModel, Application } from "./template/application.ts";
import { TemplateError } from "./template/json.ts";

export type GatewaysInput = {
  readonly app: Application;
  readonly port: number;
  readonly invoke: Invoke;
  readonly idleMs: number | undefined;
  readonly lifeMs: number | undefined;
  readonly accessLog: NonNullable<HttpGatewayOptions["accessLog"]>;
  readonly edgeHeaders: HttpGatewayOptions["edgeHeaders"];
};

export type Gateways = {
  readonly running: RunningGateway;
  readonly websocket: WebSocketGateway;
  readonly stage: string;
};

function only(apis: readonly ApiModel[], what: string): ApiModel {
  const [api, ...others] = apis;
  if (api === undefined || others.length > 0) {
    throw new TemplateError(
      `the template has ${apis.length} ${what} APIs; the local stack serves exactly one`,
    );
  }
  return api;
}

function routeThrottles(api: ApiModel): Record<string, Throttle> {
  return Object.fromEntries(
    api.routes.flatMap(({ routeKey, throttle }) => (throttle === undefined ? [] : [[routeKey, throttle]])),
  );
}

/** @throws {Error} one sentence, when the port is not available. */
export async function startGateways(input: GatewaysInput): Promise<Gateways> {
  const httpApi = only(input.app.httpApis, "HTTP");
  const webSocketApi = only(input.app.webSocketApis, "WebSocket");
  const http = createHttpGateway({
    apiId: httpApi.id,
    routes: httpApi.routes.map(({ routeKey, functionAddress }) => ({
      routeKey,
      functionName: functionAddress,
    })),
    invoke: input.invoke,
    accessLog: input.accessLog,
    edgeHeaders: input.edgeHeaders,
    routeThrottles: routeThrottles(httpApi),
    cors: httpApi.cors,
    stageThrottle: httpApi.throttle,
  });
  const websocket = new WebSocketGateway({
    apiId: webSocketApi.id,
    stage: webSocketApi.stage,
    routes: Object.fromEntries(
      webSocketApi.routes.map(({ routeKey, functionAddress }) => [routeKey, functionAddress]),
    ),
    routeSelectionExpression: webSocketApi.routeSelectionExpression ?? "$request.body.action",
    invoke: input.invoke,
    routeThrottles: routeThrottles(webSocketApi),
    stageThrottle: webSocketApi.throttle,
    idleMs: input.idleMs,
    lifeMs: input.lifeMs,
  });
  const running = await startGateway({ port: input.port, http, websocket });
  return { running, websocket, stage: webSocketApi.stage };
}
