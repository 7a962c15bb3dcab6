import {
  CorsHttpMethod,
  type CorsPreflightOptions,
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { CfnOutput, Duration, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { responseHeaders } from "../../openapi/headers.ts";
import { endHeaders } from "../../openapi/operation-end.ts";
import { requestHeaderParameters } from "../../openapi/parameters.ts";
import type { Settings } from "../../settings.ts";
import type { RouteGroupFunction } from "../route-group-function.ts";
import { accessLog } from "./access-log.ts";
import { CustomDomain } from "./custom-domain.ts";
import { operationThrottle, throttleRoute } from "./route-throttle.ts";

const accessLogFields = {
  request_id: "$context.requestId",
  time: "$context.requestTime",
  ip: "$context.identity.sourceIp",
  route: "$context.routeKey",
  status: "$context.status",
  response_bytes: "$context.responseLength",
  latency_ms: "$context.responseLatency",
  integration_latency_ms: "$context.integrationLatency",
  integration_error: "$context.integrationErrorMessage",
} as const;

export class OperationsApi extends Construct {
  readonly apiId: string;
  readonly url: string;
  readonly domain: CustomDomain | undefined;
  readonly #api: HttpApi;
  readonly #stage: HttpStage;
  readonly #settings: Settings;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const cors = corsPreflight(settings.corsOrigins);
    this.#api = new HttpApi(this, "Api", {
      apiName: `das-${settings.deployment}-http`,
      ...(cors === undefined ? {} : { corsPreflight: cors }),
      createDefaultStage: false,
      // A second address would bypass the protection of the host name.
      disableExecuteApiEndpoint: settings.httpHostName !== undefined,
    });
    this.#settings = settings;
    this.#stage = new HttpStage(this, "Stage", {
      httpApi: this.#api,
      stageName: "$default",
      autoDeploy: true,
      detailedMetricsEnabled: settings.detailedMetrics,
      throttle: { rateLimit: settings.throttleRate, burstLimit: settings.throttleBurst },
      accessLogSettings: accessLog(this, "AccessLog", accessLogFields, settings.logRetentionDays),
    });
    this.apiId = this.#api.apiId;
    this.url =
      settings.httpHostName === undefined ? this.#api.apiEndpoint : `https://${settings.httpHostName}`;
    if (settings.httpHostName !== undefined && settings.httpCertificateArn !== undefined) {
      this.domain = new CustomDomain(this, "CustomDomain", {
        hostName: settings.httpHostName,
        certificateArn: settings.httpCertificateArn,
        hostedZoneId: settings.hostedZoneId,
        api: this.#api,
        stage: this.#stage,
        outputName: "ApiDomainTarget",
      });
      if (settings.edge === "none") this.domain.addRecord();
    }
    new CfnOutput(this, "Url", {
      description: "The base address of the API.",
      value: this.url,
    }).overrideLogicalId("ApiUrl");
  }

  /**
   * Permissions name the API and not each route, because a function's resource policy is limited to 20 KB.
   *
   * Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
   */
  addRoutes(group: RouteGroupFunction): void {
    const integration = new HttpLambdaIntegration(`${group.node.id}-integration`, invoked(group), {
      scopePermissionToRoute: false,
    });
    for (const { method, path } of group.routes) {
      this.#addRoute(`${method} ${path}`, HttpRouteKey.with(path, method as HttpMethod), integration);
    }
  }

  /** The permission of `addRoutes` does not cover this route's address, `api/stage/$default`. */
  addDefaultRoute(group: RouteGroupFunction): void {
    const integration = new HttpLambdaIntegration("default-integration", invoked(group));
    this.#addRoute("$default", HttpRouteKey.DEFAULT, integration);
  }

  #addRoute(id: string, routeKey: HttpRouteKey, integration: HttpLambdaIntegration): void {
    const route = new HttpRoute(this, id, { httpApi: this.#api, routeKey, integration });
    Validations.of(route).acknowledge({
      id: "AwsSolutions-APIG4",
      reason:
        "API keys and dashboard tokens are judged in the function, whose answers follow the service's contract.",
    });
    throttleRoute(this.#stage, route, id, operationThrottle(this.#settings, id));
  }
}

/** The CDK's types of an alias and of a function differ only in optional fields. */
function invoked({ alias }: RouteGroupFunction): IFunction {
  return alias as IFunction;
}

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html */
function corsPreflight(origins: readonly string[]): CorsPreflightOptions | undefined {
  if (origins.length === 0) return undefined;
  const operations: readonly Operation[] = allOperations;
  const ofOperations = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  return {
    allowOrigins: [...origins],
    allowMethods: [...new Set(operations.map(({ method }) => CorsHttpMethod[method]))],
    allowHeaders: ["Authorization", "Content-Type", ...requestHeaderParameters.map(({ name }) => name)],
    exposeHeaders: [...new Set([...Object.keys({ ...responseHeaders, ...endHeaders }), ...ofOperations])],
    maxAge: Duration.hours(1),
  };
}
