import type { Alias } from "aws-cdk-lib/aws-lambda";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { RouteGroup, Routes } from "../../shared/contract/operations/all-operations.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

/** API Gateway waits 30 s for an HTTP API, so a late response is the function's own. */
const routeGroupTimeout = Duration.seconds(29);

/** TLS, JSON and compiling the bundle on a cold start need half a CPU more than the default. */
const routeGroupMemoryMegabytes = 1024;

export interface RouteGroupFunctionProps
  extends Omit<ServiceFunctionProps, "timeout" | "memoryMegabytes" | "reservedConcurrency"> {
  readonly routes: Routes[RouteGroup];
}

export class RouteGroupFunction extends ServiceFunction {
  readonly routes: Routes[RouteGroup];
  /** A release shifts the alias from one version to the next. */
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
