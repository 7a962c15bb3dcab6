import { localAccount, localRegion } from "../aws/local-account.ts";
import type { AssemblyStack } from "./cloud-assembly.ts";
import { type Lookup, noValue, resolveCondition, resolveValue } from "./intrinsics.ts";
import { asObject, asString, type Json, type JsonObject, optionalString, TemplateError } from "./json.ts";
import { type Place, physicalName } from "./physical-names.ts";
import { type Identity, identify } from "./resource-identity.ts";

export type ResolvedResource = {
  readonly address: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly ref: string;
  readonly place: Place;
  readonly assets: ReadonlyMap<string, string>;
  readonly attribute: (name: string) => Json;
};

type Resource = {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly condition: string | undefined;
};

function resourcesOf(template: JsonObject): ReadonlyMap<string, Resource> {
  return new Map(
    Object.entries(asObject(template.Resources)).map(([logicalId, raw]) => {
      const { Type, Properties, Condition } = asObject(raw);
      const type = optionalString(Type) ?? "";
      const condition = optionalString(Condition);
      return [logicalId, { logicalId, type, properties: asObject(Properties), condition }];
    }),
  );
}

function placeOf(stack: AssemblyStack): Place {
  return {
    account: stack.account.startsWith("unknown-") ? localAccount : stack.account,
    region: stack.region.startsWith("unknown-") ? localRegion : stack.region,
    stackName: stack.name,
  };
}

/** References are followed when they are met, so the order of resources does not matter. */
class StackResolver {
  readonly #template: JsonObject;
  readonly #assets: AssemblyStack["assets"];
  readonly #resources: ReadonlyMap<string, Resource>;
  readonly #place: Place;
  readonly #identities = new Map<string, Identity>();
  readonly #conditions = new Map<string, boolean>();
  readonly #resolving = new Set<string>();
  readonly #lookup: Lookup;

  constructor(stack: AssemblyStack, app: AppResolver) {
    this.#template = stack.template;
    this.#assets = stack.assets;
    this.#resources = resourcesOf(stack.template);
    this.#place = placeOf(stack);
    this.#lookup = {
      ref: (name) => this.#ref(name),
      getAtt: (logicalId, attribute) => this.#getAtt(logicalId, attribute),
      importValue: (name) => app.exported(name),
      stackOutput: (stackName, output) => app.stack(stackName).output(output),
      condition: (name) => this.#condition(name),
    };
  }

  *exports(): Generator<readonly [string, () => Json]> {
    for (const raw of Object.values(asObject(this.#template.Outputs))) {
      const output = asObject(raw);
      const name = asObject(output.Export).Name;
      if (name === undefined || !this.#holds(optionalString(output.Condition))) continue;
      yield [
        asString(resolveValue(name, this.#lookup), "Export"),
        () => resolveValue(output.Value ?? null, this.#lookup),
      ];
    }
  }

  output(name: string): Json {
    const output = asObject(this.#template.Outputs)[name];
    if (output === undefined) throw new TemplateError(`${this.#place.stackName} has no output ${name}`);
    return resolveValue(asObject(output).Value ?? null, this.#lookup);
  }

  *resources(): Generator<ResolvedResource> {
    for (const resource of this.#resources.values()) {
      if (!this.#holds(resource.condition)) continue;
      yield {
        address: `${this.#place.stackName}/${resource.logicalId}`,
        logicalId: resource.logicalId,
        type: resource.type,
        properties: asObject(resolveValue(resource.properties, this.#lookup)),
        ref: this.#identity(resource).ref,
        place: this.#place,
        assets: this.#assets,
        attribute: (name) => this.#getAtt(resource.logicalId, name),
      };
    }
  }

  #holds(condition: string | undefined): boolean {
    return condition === undefined || this.#condition(condition);
  }

  #condition(name: string): boolean {
    const known = this.#conditions.get(name);
    if (known !== undefined) return known;
    const raw = asObject(this.#template.Conditions)[name];
    if (raw === undefined) throw new TemplateError(`${this.#place.stackName} has no condition ${name}`);
    const value = resolveCondition(raw, this.#lookup);
    this.#conditions.set(name, value);
    return value;
  }

  #ref(name: string): Json | typeof noValue {
    const { account, region, stackName } = this.#place;
    const pseudoParameters: Readonly<Record<string, Json | typeof noValue>> = {
      "AWS::AccountId": account,
      "AWS::Region": region,
      "AWS::Partition": "aws",
      "AWS::URLSuffix": "amazonaws.com",
      "AWS::StackName": stackName,
      "AWS::NoValue": noValue,
    };
    const pseudo = pseudoParameters[name];
    if (pseudo !== undefined) return pseudo;
    const resource = this.#resources.get(name);
    if (resource !== undefined) return this.#identity(resource).ref;
    return this.#parameter(name);
  }

  #parameter(name: string): Json {
    const declared = asObject(this.#template.Parameters)[name];
    if (declared === undefined)
      throw new TemplateError(`${this.#place.stackName} has no ${name} to refer to`);
    const { Default: value } = asObject(declared);
    if (value === undefined)
      throw new TemplateError(`parameter ${name} of ${this.#place.stackName} has no default`);
    return value;
  }

  #identity(resource: Resource): Identity {
    const known = this.#identities.get(resource.logicalId);
    if (known !== undefined) return known;
    if (this.#resolving.has(resource.logicalId)) {
      throw new TemplateError(`${resource.logicalId} of ${this.#place.stackName} refers to itself`);
    }
    this.#resolving.add(resource.logicalId);
    const made = this.#identify(resource);
    this.#resolving.delete(resource.logicalId);
    this.#identities.set(resource.logicalId, made);
    return made;
  }

  #identify(resource: Resource): Identity {
    const make = identify(resource.type);
    if (make === undefined)
      return { ref: physicalName(this.#place, resource.logicalId, 255), attributes: {} };
    // A full resolution would not end, because roles and functions refer to each other.
    const plain: Record<string, Json> = {};
    for (const [name, value] of Object.entries(resource.properties)) {
      if (!/Name$|^ProtocolType$|^FifoQueue$|^Value$/.test(name)) continue;
      plain[name] = resolveValue(value, this.#lookup);
    }
    return make(this.#place, resource.logicalId, plain);
  }

  #getAtt(logicalId: string, attribute: string): Json {
    const resource = this.#resources.get(logicalId);
    if (resource === undefined)
      throw new TemplateError(`${this.#place.stackName} has no resource ${logicalId}`);
    const found = this.#identity(resource).attributes[attribute];
    if (found !== undefined) return found;
    // Only a policy or a resource that is not run here refers to this attribute.
    return `${logicalId}.${attribute}`;
  }
}

class AppResolver {
  readonly #stacks: ReadonlyMap<string, StackResolver>;
  #exports: ReadonlyMap<string, () => Json> | undefined;

  constructor(stacks: readonly AssemblyStack[]) {
    this.#stacks = new Map(stacks.map((stack) => [stack.name, new StackResolver(stack, this)]));
  }

  stack(name: string): StackResolver {
    const found = this.#stacks.get(name);
    if (found === undefined) throw new TemplateError(`the assembly has no stack ${name}`);
    return found;
  }

  exported(name: string): Json {
    this.#exports ??= new Map([...this.#stacks.values()].flatMap((stack) => [...stack.exports()]));
    const value = this.#exports.get(name);
    if (value === undefined) throw new TemplateError(`no stack of the assembly exports ${name}`);
    return value();
  }

  *resources(): Generator<ResolvedResource> {
    for (const stack of this.#stacks.values()) yield* stack.resources();
  }
}

export function resolveStacks(stacks: readonly AssemblyStack[]): readonly ResolvedResource[] {
  return [...new AppResolver(stacks).resources()];
}
