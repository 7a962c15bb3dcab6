import type { EventRuleModel, FunctionModel } from "./application.ts";
import { findFunction } from "./function-references.ts";
import { asList, asObject, asString, isObject } from "./json.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

type Target = EventRuleModel["targets"][number];

/** The local default bus has no other source. */
const ownSource = "aws.lambda";

export function readEventRule(
  { properties, address }: ResolvedResource,
  functions: readonly FunctionModel[],
  report: (problem: string) => void,
): EventRuleModel | undefined {
  const { EventPattern: pattern, EventBusName: bus = "default", State: state } = properties;
  if (!isObject(pattern) || bus !== "default" || !asList(pattern.source).includes(ownSource)) {
    report(`the rule ${address} matches events, which the local stack hands to nobody`);
    return undefined;
  }
  const targets = asList(properties.Targets).flatMap((each): readonly Target[] => {
    const target = asObject(each);
    const arn = asString(target.Arn, `${address} Target`);
    const isWhole = ["Input", "InputPath", "InputTransformer"].every((name) => target[name] === undefined);
    if (isWhole && /^arn:[^:]+:sqs:/.test(arn)) return [{ functionAddress: undefined, queueArn: arn }];
    if (isWhole && /^arn:[^:]+:lambda:/.test(arn))
      return [{ functionAddress: findFunction(functions, arn), queueArn: undefined }];
    report(`the target ${arn} of ${address} is given no events by the local stack`);
    return [];
  });
  return { address, pattern, enabled: state !== "DISABLED", targets };
}
