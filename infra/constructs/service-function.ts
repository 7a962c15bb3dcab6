import { ArnPrincipal, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type Code,
  type DurableConfig,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { type Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { denyTo, type Grant, grantTo } from "./grant.ts";

export interface ServiceFunctionProps {
  /** The bundle: a folder with an index file, whose `handler` is called. */
  readonly code: Code;
  readonly timeout: Duration;
  /**
   * Also sets the share of a CPU: a whole one at 1,769.
   *
   * Source: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
   */
  readonly memoryMegabytes: number;
  readonly logRetentionDays: number;
  readonly environment: Readonly<Record<string, string>>;
  /** @default none: the function takes from the account's concurrency */
  readonly reservedConcurrency?: number | undefined;
  /** The level of Lambda's own lines. @default INFO: two for each invocation */
  readonly systemLogLevel?: SystemLogLevel;
  /** Makes it a durable function, whose versions are kept: executions go on with the one that they began on. */
  readonly durableConfig?: DurableConfig;
}

/**
 * One Lambda of the service: its bundle, its log group, and a role that may write there. All
 * else comes from the `bind…` methods of the constructs that it uses, which grant and set the variable in one call.
 */
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
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes,
      timeout: props.timeout,
      role: this.#role,
      logGroup: this.logs,
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: props.systemLogLevel ?? SystemLogLevel.INFO,
      environment: props.environment,
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

  /** Adds to the function's own policy. */
  allow(grant: Grant): void {
    grantTo(this.#role, grant);
  }

  /** Refuses in the function's own policy what another grant may allow. */
  deny(refusal: Omit<Grant, "wildcardReason">): void {
    denyTo(this.#role, refusal);
  }

  /** Calling itself: by the function's own policy, since the role's has to be there before the function is. */
  bindSelf(): void {
    this.lambda.addPermission("Self", { principal: new ArnPrincipal(this.#role.roleArn) });
  }

  /** Sets a variable of the function's environment. */
  set(variable: string, value: string): void {
    this.lambda.addEnvironment(variable, value);
  }
}
