import type { Alias } from "aws-cdk-lib/aws-lambda";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { RouteGroup, Routes } from "../../shared/contract/operations/all-operations.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

/**
 * Below the 30 s that API Gateway waits for an HTTP API, so that a late response is the function's own.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const routeGroupTimeout = Duration.seconds(29);

/** Half a CPU more than the default: the time is spent on TLS, JSON and, on a cold start, compiling the bundle. */
const routeGroupMemoryMegabytes = 1024;

export interface RouteGroupFunctionProps
  extends Omit<ServiceFunctionProps, "timeout" | "memoryMegabytes" | "reservedConcurrency"> {
  /** The routes that the group serves. */
  readonly routes: Routes[RouteGroup];
}

/** A Lambda that serves one group of operations of the HTTP API. */
export class RouteGroupFunction extends ServiceFunction {
  readonly routes: Routes[RouteGroup];
  /** The alias that the HTTP API invokes: a release shifts it from one version to the next. */
  readonly alias: Alias;

  constructor(scope: Construct, id: string, { routes, ...props }: RouteGroupFunctionProps) {
    super(scope, id, {
      ...props,
      timeout: routeGroupTimeout,
      memoryMegabytes: routeGroupMemoryMegabytes,
    });
    this.routes = routes;
    this.alias = this.lambda.addAlias("live");
  }
}
