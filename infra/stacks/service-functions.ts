import type { Code } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { RouteGroup, Routes } from "../../shared/contract/operations/all-operations.ts";
import { reservedConcurrencyOf } from "../concurrency.ts";
import type { OperationsApi } from "../constructs/apis/operations-api.ts";
import { allowCustomerKey } from "../constructs/customer-key.ts";
import { DurableFunction, type DurableFunctionProps } from "../constructs/durable-function.ts";
import { RouteGroupFunction } from "../constructs/route-group-function.ts";
import { ServiceFunction, type ServiceFunctionProps } from "../constructs/service-function.ts";
import type { Settings } from "../settings.ts";
import { tableGrants } from "../table-grants.ts";
import type { DataStack } from "./data.ts";

export interface ServiceFunctionsProps {
  readonly data: DataStack;
  readonly settings: Settings;
  readonly routes: Routes;
  readonly version: string;
  /** The name of a function is that of its folder in `functions/`. */
  readonly codeOf: (name: string) => Code;
  readonly operationsApi: OperationsApi;
}

export type RouteGroupOptions = Pick<ServiceFunctionProps, "systemLogLevel">;

/** Makes the functions with what all have: code, logs, environment, concurrency and their grants on the table. */
export class ServiceFunctions {
  readonly #stack: Construct;
  readonly #props: ServiceFunctionsProps;
  readonly #all = new Map<string, ServiceFunction>();

  constructor(stack: Construct, props: ServiceFunctionsProps) {
    this.#stack = stack;
    this.#props = props;
  }

  get all(): ReadonlyMap<string, ServiceFunction> {
    return this.#all;
  }

  addRouteGroup(name: RouteGroup, props: RouteGroupOptions = {}): RouteGroupFunction {
    const group = new RouteGroupFunction(this.#stack, name, {
      ...this.#common(name),
      ...props,
      routes: this.#props.routes[name],
    });
    this.#props.operationsApi.addRoutes(group);
    return this.#register(name, group);
  }

  addFunction(
    name: string,
    props: Pick<ServiceFunctionProps, "timeout" | "memoryMegabytes" | "systemLogLevel">,
  ): ServiceFunction {
    return this.#register(name, new ServiceFunction(this.#stack, name, { ...this.#common(name), ...props }));
  }

  addDurable(
    name: string,
    props: Pick<DurableFunctionProps, "timeout" | "memoryMegabytes" | "executionTimeout" | "retentionPeriod">,
  ): DurableFunction {
    return this.#register(name, new DurableFunction(this.#stack, name, { ...this.#common(name), ...props }));
  }

  #register<Fn extends ServiceFunction>(name: string, fn: Fn): Fn {
    const grant = tableGrants[name];
    if (grant !== undefined) {
      this.#props.data.table.bind(fn, grant);
      allowCustomerKey(fn, this.#props.settings.kmsKeyArn);
    }
    this.#all.set(name, fn);
    return fn;
  }

  #common(name: string) {
    const { settings, version, codeOf } = this.#props;
    return {
      code: codeOf(name),
      logRetentionDays: settings.logRetentionDays,
      logLevel: settings.logLevel,
      reservedConcurrency: reservedConcurrencyOf(name, settings.lambdaConcurrency),
      environment: {
        DEPLOYMENT: settings.deployment,
        SERVICE_VERSION: version,
      },
    };
  }
}
