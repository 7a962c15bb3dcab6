import type { Cors } from "../gateway/cors.ts";
import type { Throttle } from "../gateway/token-bucket.ts";
import type { ApiModel, EdgeModel, FunctionModel, RouteModel } from "./application.ts";
import { findFunction } from "./function-references.ts";
import {
  asList,
  asObject,
  asString,
  type Json,
  optionalNumber,
  optionalString,
  TemplateError,
} from "./json.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

function readThrottle(settings: Json | undefined): Throttle | undefined {
  const { ThrottlingRateLimit, ThrottlingBurstLimit } = asObject(settings);
  const rate = optionalNumber(ThrottlingRateLimit);
  const burst = optionalNumber(ThrottlingBurstLimit);
  if (rate === undefined && burst === undefined) return undefined;
  return { rate: rate ?? Number.POSITIVE_INFINITY, burst: burst ?? Number.POSITIVE_INFINITY };
}

function readRoute(
  route: ResolvedResource,
  integrations: ReadonlyMap<string, ResolvedResource>,
  stage: ResolvedResource | undefined,
  functions: readonly FunctionModel[],
): RouteModel {
  const routeKey = asString(route.properties.RouteKey, `${route.address} RouteKey`);
  const target = asString(route.properties.Target, `${route.address} Target`);
  const integration = integrations.get(target.replace(/^integrations\//, ""));
  if (integration === undefined) throw new TemplateError(`the route ${routeKey} leads to no integration`);
  const { IntegrationType: type, IntegrationUri: uri } = integration.properties;
  if (type !== "AWS_PROXY")
    throw new TemplateError(`the route ${routeKey} has an integration of type ${type}`);
  return {
    routeKey,
    functionAddress: findFunction(functions, asString(uri, integration.address)),
    integrationTimeoutMs: optionalNumber(integration.properties.TimeoutInMillis),
    throttle: readThrottle(asObject(stage?.properties.RouteSettings)[routeKey]),
  };
}

function readCors({ address, properties }: ResolvedResource): Cors | undefined {
  if (properties.CorsConfiguration === undefined) return undefined;
  const given = asObject(properties.CorsConfiguration);
  const texts = (name: string) => asList(given[name]).map((text) => asString(text, `${address} ${name}`));
  return {
    allowOrigins: texts("AllowOrigins"),
    allowMethods: texts("AllowMethods"),
    allowHeaders: texts("AllowHeaders"),
    exposeHeaders: texts("ExposeHeaders"),
    maxAgeSeconds: optionalNumber(given.MaxAge) ?? 0,
  };
}

export function readApis(
  resources: readonly ResolvedResource[],
  functions: readonly FunctionModel[],
  report: (problem: string) => void,
): readonly ApiModel[] {
  const ofType = (type: string): readonly ResolvedResource[] =>
    resources.filter((resource) => resource.type === type);
  const integrations = new Map(
    ofType("AWS::ApiGatewayV2::Integration").map((integration) => [integration.ref, integration]),
  );
  return ofType("AWS::ApiGatewayV2::Api").map((api): ApiModel => {
    const belongs = (resource: ResolvedResource): boolean => resource.properties.ApiId === api.ref;
    const stages = ofType("AWS::ApiGatewayV2::Stage").filter(belongs);
    const [stage] = stages;
    if (stages.length !== 1) report(`${api.address} has ${stages.length} stages; the local stack runs one`);
    const routes = ofType("AWS::ApiGatewayV2::Route").filter(belongs);
    for (const route of routes) {
      const authorization = route.properties.AuthorizationType;
      if (authorization === undefined || authorization === "NONE") continue;
      report(`${route.address} is authorized by API Gateway (${authorization}), which is not done here`);
    }
    return {
      address: api.address,
      id: api.ref,
      protocol: api.properties.ProtocolType === "WEBSOCKET" ? "WEBSOCKET" : "HTTP",
      stage: stage?.ref ?? "$default",
      throttle: readThrottle(stage?.properties.DefaultRouteSettings),
      cors: readCors(api),
      routes: routes.map((route) => readRoute(route, integrations, stage, functions)),
      routeSelectionExpression: optionalString(api.properties.RouteSelectionExpression),
      hostNames: ofType("AWS::ApiGatewayV2::ApiMapping")
        .filter(belongs)
        .map((mapping) => asString(mapping.properties.DomainName, mapping.address)),
    };
  });
}

/** On AWS, a call fails with 500 when no permission lets the service invoke the function. */
export function findMissingPermissions(
  resources: readonly ResolvedResource[],
  functions: readonly FunctionModel[],
  callers: readonly { readonly principal: string; readonly functionAddress: string; readonly what: string }[],
): readonly string[] {
  const permitted = new Set(
    resources
      .filter((resource) => resource.type === "AWS::Lambda::Permission")
      .flatMap(({ properties, address }) =>
        asList(properties.FunctionName).map(
          (name) => `${String(properties.Principal)} ${findFunction(functions, asString(name, address))}`,
        ),
      ),
  );
  return callers
    .filter(({ principal, functionAddress }) => !permitted.has(`${principal} ${functionAddress}`))
    .map(({ principal, functionAddress, what }) => `${what}: ${principal} may not invoke ${functionAddress}`);
}

/** Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-cloudfront-distribution-origin.html */
export function readEdge({ properties, address }: ResolvedResource): EdgeModel {
  const origins = asList(asObject(properties.DistributionConfig).Origins).map(asObject);
  return {
    originHeaders: origins
      .flatMap(({ OriginCustomHeaders: headers }) => asList(headers).map(asObject))
      .map(({ HeaderName: name, HeaderValue: value }) => ({
        name: asString(name, `${address} HeaderName`).toLowerCase(),
        value: asString(value, `${address} HeaderValue`),
      })),
  };
}
