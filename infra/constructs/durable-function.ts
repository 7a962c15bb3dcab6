import { Match, Rule } from "aws-cdk-lib/aws-events";
import { Policy, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Alias, CfnFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { CfnOutput, Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { failureQueue } from "./failure-queue.ts";
import { grantTo } from "./grant.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

export interface DurableFunctionProps extends ServiceFunctionProps {
  /** The bound covers all invocations of an execution and is at most 366 days. */
  readonly executionTimeout: Duration;
  /** A closed execution, and so its name, is known for this many whole days. */
  readonly retentionPeriod: Duration;
}

const failures = ["FAILED", "TIMED_OUT", "STOPPED"];

/**
 * An execution stays with the version that it started on, so CloudFormation keeps earlier ones.
 *
 * Sources: https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html,
 * https://docs.aws.amazon.com/lambda/latest/dg/durable-functions.html
 */
export class DurableFunction extends ServiceFunction {
  readonly alias: Alias;
  readonly deadLetters: Queue;
  /** This policy names the function, which cannot be created without its role. */
  readonly #executions: Policy;

  constructor(
    scope: Construct,
    id: string,
    { executionTimeout, retentionPeriod, ...props }: DurableFunctionProps,
  ) {
    super(scope, id, { ...props, durableConfig: { executionTimeout, retentionPeriod } });
    this.alias = this.lambda.addAlias("live");
    // Executions are started again every minute until they begin, so an event need not wait for longer.
    this.alias.configureAsyncInvoke({ maxEventAge: Duration.hours(1) });
    this.deadLetters = failureQueue(this, "DeadLetters", {
      sender: this,
      description: "The queue of the executions that failed.",
      outputName: `${id.replaceAll("-", "")}DeadLettersQueueUrl`,
    });
    const resource = this.lambda.node.defaultChild as CfnFunction;
    resource.deadLetterConfig = { targetArn: this.deadLetters.queueArn };

    this.#executions = new Policy(this, "Executions");
    if (this.lambda.role) this.#executions.attachToRole(this.lambda.role);
    grantTo(this.#executions, {
      actions: ["lambda:CheckpointDurableExecution", "lambda:GetDurableExecutionState"],
      resources: [this.#everyExecution],
      wildcardReason: "Executions get their ARNs, below their version's, when they are started.",
    });
  }

  bindStart(fn: ServiceFunction, variable: "EXECUTOR_ARN" | "WEBHOOK_DELIVERER_ARN"): void {
    fn.allow({ actions: ["lambda:InvokeFunction"], resources: [this.alias.functionArn] });
    fn.set(variable, this.alias.functionArn);
  }

  /** Sets EXECUTOR_ALIAS, since the function cannot name its own ARN. */
  bindSuccessors(): void {
    const { aliasName } = this.alias;
    grantTo(this.#executions, {
      actions: ["lambda:InvokeFunction"],
      resources: [`${this.lambda.functionArn}:${aliasName}`],
    });
    this.set("EXECUTOR_ALIAS", aliasName);
    this.allowChains();
  }

  /**
   * Executions may invoke the function that starts them, whose name is in their payload: it has this function's name in
   * its environment, and CloudFormation refuses a circle. What it could not do is left where failed executions are.
   */
  bindSender(fn: ServiceFunction): void {
    grantTo(this.#executions, { actions: ["lambda:InvokeFunction"], resources: [fn.lambda.functionArn] });
    // Each attempt starts the next one, and each end one that waits for a place.
    fn.allowChains();
    fn.allow({ actions: ["sqs:SendMessage"], resources: [this.deadLetters.queueArn] });
    const resource = fn.lambda.node.defaultChild as CfnFunction;
    resource.deadLetterConfig = { targetArn: this.deadLetters.queueArn };
    new CfnOutput(fn, "Name", {
      description: "The function that what it left in the queue is sent to again.",
      value: fn.lambda.functionName,
    }).overrideLogicalId(`${fn.node.id.replaceAll("-", "")}FunctionName`);
  }

  bindRead(fn: ServiceFunction): void {
    fn.allow({
      actions: ["lambda:GetDurableExecution"],
      resources: [this.#everyExecution],
      wildcardReason: "Executions get their ARNs, below their version's, when they are started.",
    });
  }

  bindCallbacks(fn: ServiceFunction): void {
    fn.allow({
      actions: ["lambda:SendDurableExecutionCallbackSuccess"],
      resources: [this.#everyExecution],
      wildcardReason: "Executions get their ARNs, below their version's, when they are started.",
    });
  }

  bindFind(fn: ServiceFunction): void {
    fn.allow({
      actions: ["lambda:ListDurableExecutionsByFunction"],
      resources: [this.lambda.functionArn],
    });
    this.bindRead(fn);
    fn.set("EXECUTOR_ARN", this.alias.functionArn);
  }

  /** Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html */
  onFailure(fn: ServiceFunction): void {
    const rule = new Rule(this, "Failures", {
      eventPattern: {
        source: ["aws.lambda"],
        detailType: ["Durable Execution Status Change"],
        detail: { status: failures, functionArn: Match.prefix(this.lambda.functionArn) },
      },
    });
    rule.addTarget({ bind: () => ({ arn: fn.lambda.functionArn }) });
    fn.lambda.addPermission("ExecutionFailures", {
      principal: new ServicePrincipal("events.amazonaws.com"),
      sourceArn: rule.ruleArn,
    });
  }

  get #everyExecution(): string {
    return `${this.lambda.functionArn}:*`;
  }
}
