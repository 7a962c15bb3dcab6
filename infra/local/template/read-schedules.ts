import type { FunctionModel, ScheduleModel } from "./application.ts";
import { findFunction } from "./function-references.ts";
import { asList, asObject, asString, type Json, optionalString } from "./json.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

function parseInput(text: string | undefined): Json | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

function isFunction(arn: string): boolean {
  return /^arn:[^:]+:lambda:/.test(arn);
}

export function readSchedules(
  resource: ResolvedResource,
  functions: readonly FunctionModel[],
  report: (problem: string) => void,
): readonly ScheduleModel[] {
  const { properties, address } = resource;
  const expression = optionalString(properties.ScheduleExpression);
  if (expression === undefined) return [];
  const targets =
    resource.type === "AWS::Scheduler::Schedule" ? [properties.Target] : asList(properties.Targets);
  return targets.map(asObject).flatMap((target): readonly ScheduleModel[] => {
    const arn = asString(target.Arn, `${address} Target`);
    if (!isFunction(arn)) {
      report(`the target ${arn} of ${address} is not invoked by the local stack`);
      return [];
    }
    return [
      {
        address,
        name: resource.ref,
        expression,
        enabled: properties.State !== "DISABLED",
        functionAddress: findFunction(functions, arn),
        input: parseInput(optionalString(target.Input)),
      },
    ];
  });
}
