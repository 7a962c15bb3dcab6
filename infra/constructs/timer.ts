import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

/** A failed call is not retried, because the next one is due sooner. */
export class Timer extends Construct {
  constructor(scope: Construct, id: string, fn: ServiceFunction, period: Duration) {
    super(scope, id);
    const rule = new Rule(this, "Rule", { schedule: Schedule.rate(period) });
    rule.addTarget({
      bind: () => ({
        arn: fn.lambda.functionArn,
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: period.toSeconds() },
      }),
    });
    fn.lambda.addPermission("EveryMinute", {
      principal: new ServicePrincipal("events.amazonaws.com"),
      sourceArn: rule.ruleArn,
    });
    fn.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: period });
  }
}
