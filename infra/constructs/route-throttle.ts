import { CfnStage, type IRoute, type IStage } from "aws-cdk-lib/aws-apigatewayv2";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import type { Settings } from "../settings.ts";

/** Requests a second, and burst. */
interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/** Of the stage's throttle, for one operation without credentials: 50 a second of 1,000. */
const operationShare = 1 / 20;

/** Of the stage's throttle, for handshakes: 100 a second of 1,000, so that a fleet is back within minutes. */
const handshakeShare = 1 / 10;

const anonymousOperations: ReadonlySet<string> = new Set(
  allOperations.flatMap(({ access, method, path }) => (access === "bearer" ? [] : [`${method} ${path}`])),
);

/** Whether anyone may call it: what the contract calls public, credentials in the body, and what no route names. */
export function isAnonymous(routeKey: string): boolean {
  return routeKey === "$default" || anonymousOperations.has(routeKey);
}

/** What one anonymous operation may use. A route with a throttle of its own takes nothing from the stage's. */
export function operationThrottle(settings: Settings): Throttle {
  return share(settings, operationShare);
}

/** What handshakes may use; messages, by which drivers respond, keep the rest of the stage's throttle. */
export function handshakeThrottle(settings: Settings): Throttle {
  return share(settings, handshakeShare);
}

/**
 * Gives one route of a stage its own throttle. The stage waits for the route, since settings of a missing route are an
 * error; and it names all settings, since those of a route replace the stage's as a whole.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export function throttleRoute(stage: IStage, route: IRoute, routeKey: string, throttle: Throttle): void {
  const resource = stage.node.defaultChild;
  if (!(resource instanceof CfnStage)) throw new Error("a stage of another deployment cannot be changed");
  resource.addPropertyOverride(`RouteSettings.${routeKey.replaceAll(".", "\\.")}`, {
    DetailedMetricsEnabled: true,
    ThrottlingRateLimit: throttle.rateLimit,
    ThrottlingBurstLimit: throttle.burstLimit,
  });
  const made = route.node.defaultChild;
  if (made === undefined) throw new Error(`the route ${routeKey} is not made here`);
  stage.node.addDependency(made);
}

function share({ throttleRate, throttleBurst }: Settings, fraction: number): Throttle {
  const part = (of: number): number => Math.max(1, Math.floor(of * fraction));
  return { rateLimit: part(throttleRate), burstLimit: part(throttleBurst) };
}
