import { type CfnEventBus, EventBus } from "aws-cdk-lib/aws-events";
import { RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

/**
 * EventBridge refuses to delete the bus with its stack while it has a rule.
 *
 * Source: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteEventBus.html
 */
export class ServiceEvents extends Construct {
  readonly bus: EventBus;
  readonly #name: string;
  readonly #arn: string;

  constructor(scope: Construct, id: string, options: { readonly logicalId: string; readonly name: string }) {
    super(scope, id);
    this.bus = new EventBus(this, "Bus", {
      eventBusName: options.name,
      description: "What becomes of runs and machines.",
    });
    this.bus.applyRemovalPolicy(RemovalPolicy.DESTROY);
    (this.bus.node.defaultChild as CfnEventBus).overrideLogicalId(options.logicalId);
    const stack = Stack.of(this);
    this.#name = stack.exportValue(this.bus.eventBusName);
    this.#arn = stack.exportValue(this.bus.eventBusArn);
  }

  bindPublish(fn: ServiceFunction): void {
    fn.allow({ actions: ["events:PutEvents"], resources: [this.#arn] });
    fn.set("EVENT_BUS_NAME", this.#name);
  }
}
