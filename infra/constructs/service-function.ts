import { ArnPrincipal, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  type Code,
  type DurableConfig,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { type Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { LogLevel } from "../../shared/vocabulary/log-levels.ts";
import { denyTo, type Grant, grantTo } from "./grant.ts";

export const lambdaArchitecture = Architecture.ARM_64;

export interface ServiceFunctionProps {
  /** A folder with the bundle and its loader, whose `handler` is called. */
  readonly code: Code;
  readonly timeout: Duration;
  /**
   * The memory sets the share of a CPU, too: a whole one at 1,769.
   *
   * Source: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
   */
  readonly memoryMegabytes: number;
  readonly logRetentionDays: number;
  readonly logLevel: LogLevel;
  readonly environment: Readonly<Record<string, string>>;
  /** @default the account's unreserved concurrency */
  readonly reservedConcurrency?: number | undefined;
  /** @default INFO: two lines for each invocation */
  readonly systemLogLevel?: SystemLogLevel;
  /** A durable function's versions are kept, because executions continue on the version that they started on. */
  readonly durableConfig?: DurableConfig;
}

/** The `bind…` methods of constructs grant and set the variable in one call. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logs: LogGroup;
  readonly #role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.logs = new LogGroup(this, "Logs", {
      retention: props.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    this.allow({
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [this.logs.logGroupArn],
    });
    this.lambda = new LambdaFunction(this, "Function", {
      code: props.code,
      handler: "loader.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: lambdaArchitecture,
      memorySize: props.memoryMegabytes,
      timeout: props.timeout,
      role: this.#role,
      logGroup: this.logs,
      loggingFormat: LoggingFormat.JSON,
      /**
       * Lambda drops lines below this level, by default those of `debug`. Lines with metrics pass it, whatever the setting is.
       *
       * Source: https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
       */
      applicationLogLevelV2:
        props.logLevel === "debug" ? ApplicationLogLevel.DEBUG : ApplicationLogLevel.INFO,
      systemLogLevelV2: props.systemLogLevel ?? SystemLogLevel.INFO,
      environment: { ...props.environment, LOG_LEVEL: props.logLevel },
      ...(props.durableConfig === undefined
        ? {}
        : {
            durableConfig: props.durableConfig,
            currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
          }),
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
    });
  }

  allow(grant: Grant): void {
    grantTo(this.#role, grant);
  }

  deny(refusal: Omit<Grant, "wildcardReason">): void {
    denyTo(this.#role, refusal);
  }

  /** The function's own policy lets it call itself, since its role must exist before it. */
  bindSelf(): void {
    this.lambda.addPermission("Self", { principal: new ArnPrincipal(this.#role.roleArn) });
  }

  /** Lets the caller start invocations that nobody waits for. */
  bindInvoke(caller: ServiceFunction, variable: "WEBHOOK_SENDER_ARN"): void {
    caller.allow({ actions: ["lambda:InvokeFunction"], resources: [this.lambda.functionArn] });
    caller.set(variable, this.lambda.functionArn);
  }

  /**
   * Lambda ends a chain of some 16 invocations of which each starts the next one, as a loop, unless the function allows it.
   *
   * Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
   */
  allowChains(): void {
    (this.lambda.node.defaultChild as CfnFunction).recursiveLoop = RecursiveLoop.ALLOW;
  }

  set(variable: string, value: string): void {
    this.lambda.addEnvironment(variable, value);
  }
}
