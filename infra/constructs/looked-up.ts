import { CfnParameter } from "aws-cdk-lib/aws-ssm";
import { CfnOutput, Fn, type Stack, Token } from "aws-cdk-lib/core";
import { Construct } from "constructs";

export interface LookedUpProps<Values> {
  readonly producer: Stack;
  readonly values: Values;
}

/**
 * The values of another stack, read when this one is deployed: they never keep its resources from being replaced.
 *
 * CloudFormation looks up an output once for each occurrence, and throttles 75 of them. So all values are one output,
 * which occurs in one parameter. A standard parameter has at most 4,096 characters.
 *
 * Source: https://github.com/aws/aws-cdk/issues/38010
 */
export class LookedUp<Values extends Readonly<Record<string, string>>> extends Construct {
  readonly values: Values;

  constructor(scope: Construct, id: string, { producer, values }: LookedUpProps<Values>) {
    super(scope, id);
    const references = Object.entries(values).filter(([, value]) => Token.isUnresolved(value));
    const outputName = `LookedUp${id}`;
    new CfnOutput(producer, outputName, {
      value: `${references.map(([name, value]) => `|${name}=${value}`).join("")}|`,
    });
    const list = new CfnParameter(this, "List", {
      type: "String",
      value: Fn.getStackOutput(producer.stackName, outputName),
    });
    // By name and not by place, so that a list with other names is refused instead of taken for this one.
    const select = (name: string) =>
      Fn.select(0, Fn.split("|", Fn.select(1, Fn.split(`|${name}=`, list.attrValue))));
    const lookedUp = references.map(([name]) => [name, select(name)]);
    this.values = { ...values, ...Object.fromEntries(lookedUp) };
  }
}
