import type { AssemblyStack } from "./cloud-assembly.ts";
import { asObject, type Json, type JsonObject, optionalString } from "./json.ts";

export type Resource = {
  readonly logicalId: string;
  readonly type: string;
  /** Unresolved. */
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
  readonly condition: string | undefined;
};

/** One stack or nested stack while its intrinsics are resolved. */
export type StackScope = {
  readonly stack: AssemblyStack;
  readonly resources: ReadonlyMap<string, Resource>;
  /** Values given by the parent of a nested stack, resolved. */
  readonly parameters: ReadonlyMap<string, Json>;
  readonly nested: Map<string, StackScope>;
};

export function createStackScope(stack: AssemblyStack, parameters: ReadonlyMap<string, Json>): StackScope {
  const resources = Object.entries(asObject(stack.template.Resources)).map(([logicalId, raw]): Resource => {
    const resource = asObject(raw);
    return {
      logicalId,
      type: optionalString(resource.Type) ?? "",
      properties: asObject(resource.Properties),
      metadata: asObject(resource.Metadata),
      condition: optionalString(resource.Condition),
    };
  });
  return {
    stack,
    resources: new Map(resources.map((resource) => [resource.logicalId, resource])),
    parameters,
    nested: new Map(),
  };
}
