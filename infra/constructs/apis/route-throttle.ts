import { CfnStage, type IRoute, type IStage } from "aws-cdk-lib/aws-apigatewayv2";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Settings } from "../../settings.ts";

interface RouteSettings {
  readonly rateLimit: number;
  readonly burstLimit: number;
  readonly detailedMetrics: boolean;
}

/** Routes without credentials get this share of the throttle: 50 a second of 1,000. */
const anonymousShare = 1 / 20;

/** Handshakes get this share of the throttle, 100 a second of 1,000, so that a fleet is back within minutes. */
const handshakeShare = 1 / 10;

const anonymousOperations: ReadonlySet<string> = new Set(
  allOperations.flatMap(({ access, method, path }) => (access === "bearer" ? [] : [`${method} ${path}`])),
);

/** Each operation has its own throttle, so that a flood of one leaves the others. */
export function operationThrottle(settings: Settings, routeKey: string): RouteSettings {
  const isAnonymous = routeKey === "$default" || anonymousOperations.has(routeKey);
  return share(settings, isAnonymous ? anonymousShare : 1);
}

export function tunnelThrottle(settings: Settings, routeKey: string): RouteSettings {
  return share(settings, routeKey === "$connect" ? handshakeShare : 1);
}

/**
 * Settings of a missing route are an error, and those of a route replace the stage's as a whole.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export function throttleRoute(stage: IStage, route: IRoute, routeKey: string, throttle: RouteSettings): void {
  const resource = stage.node.defaultChild;
  if (!(resource instanceof CfnStage)) throw new Error("a stage of another deployment cannot be changed");
  resource.addPropertyOverride(`RouteSettings.${routeKey.replaceAll(".", "\\.")}`, {
    DetailedMetricsEnabled: throttle.detailedMetrics,
    ThrottlingRateLimit: throttle.rateLimit,
    ThrottlingBurstLimit: throttle.burstLimit,
  });
  const made = route.node.defaultChild;
  if (made === undefined) throw new Error(`the route ${routeKey} is not made here`);
  stage.node.addDependency(made);
}

function share({ throttleRate, throttleBurst, detailedMetrics }: Settings, fraction: number): RouteSettings {
  const part = (of: number): number => Math.max(1, Math.floor(of * fraction));
  return { rateLimit: part(throttleRate), burstLimit: part(throttleBurst), detailedMetrics };
}
