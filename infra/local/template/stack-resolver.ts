import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AssemblyStack } from "./cloud-assembly.ts";
import { type Lookup, noValue, resolveCondition, resolveValue } from "./intrinsics.ts";
import {
  asObject,
  asString,
  isObject,
  type Json,
  type JsonObject,
  optionalString,
  TemplateError,
} from "./json.ts";
import { localAccount, localRegion, type Place, physicalName, shortHash } from "./physical-names.ts";
import { type Identity, identify } from "./resource-identity.ts";
import { createStackScope, type Resource, type StackScope } from "./stack-scope.ts";

/** A resource as it will be made: conditions judged, functions resolved, named. */
export type ResolvedResource = {
  /** Unique in its assembly: stack name and logical id. */
  readonly address: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
  readonly ref: string;
  readonly place: Place;
  readonly assets: ReadonlyMap<string, string>;
  /** Of one attribute, as `Fn::GetAtt` gives it. */
  readonly attribute: (name: string) => Json;
};

/** `unknown-region` of a stack without an environment is the Region of this machine. */
function placeOf(stack: AssemblyStack): Place {
  return {
    account: stack.account.startsWith("unknown-") ? localAccount : stack.account,
    region: stack.region.startsWith("unknown-") ? localRegion : stack.region,
    stackName: stack.name,
  };
}

/** What the stacks of one assembly look up in each other. */
export type Neighbours = {
  readonly stack: (name: string) => StackResolver;
  readonly exported: (name: string) => Json;
  /** Value of a Systems Manager parameter that the assembly itself makes. */
  readonly storedParameter: (name: string) => Json | undefined;
};

/** Resolves one stack; references are followed when they are met, so the order of resources does not matter. */
export class StackResolver {
  readonly #scope: StackScope;
  readonly #place: Place;
  readonly #app: Neighbours;
  readonly #nested = new Map<string, StackResolver>();
  readonly #identities = new Map<string, Identity>();
  readonly #conditions = new Map<string, boolean>();
  readonly #resolving = new Set<string>();
  readonly #lookup: Lookup;

  constructor(scope: StackScope, app: Neighbours) {
    this.#scope = scope;
    this.#place = placeOf(scope.stack);
    this.#app = app;
    this.#lookup = {
      ref: (name) => this.#ref(name),
      getAtt: (logicalId, attribute) => this.#getAtt(logicalId, attribute),
      importValue: (name) => app.exported(name),
      stackOutput: (stackName, output) => app.stack(stackName).output(output),
      condition: (name) => this.#condition(name),
      mapping: (map, first, second) => this.#mapping(map, first, second),
    };
  }

  /** Export names of the stack's outputs. */
  *exports(): Generator<readonly [string, () => Json]> {
    for (const raw of Object.values(asObject(this.#scope.stack.template.Outputs))) {
      const output = asObject(raw);
      const name = asObject(output.Export).Name;
      if (name === undefined || !this.#holds(optionalString(output.Condition))) continue;
      yield [
        asString(resolveValue(name, this.#lookup), "Export"),
        () => resolveValue(output.Value ?? null, this.#lookup),
      ];
    }
  }

  /** Names and values of the stack's own `AWS::SSM::Parameter`s. */
  *storedParameters(): Generator<readonly [string, () => Json]> {
    for (const resource of this.#scope.resources.values()) {
      if (resource.type !== "AWS::SSM::Parameter") continue;
      yield [this.#identity(resource).ref, () => resolveValue(resource.properties.Value ?? "", this.#lookup)];
    }
  }

  output(name: string): Json {
    const output = asObject(this.#scope.stack.template.Outputs)[name];
    if (output === undefined) throw new TemplateError(`${this.#place.stackName} has no output ${name}`);
    return resolveValue(asObject(output).Value ?? null, this.#lookup);
  }

  *resources(): Generator<ResolvedResource> {
    for (const resource of this.#scope.resources.values()) {
      if (!this.#holds(resource.condition)) continue;
      if (resource.type === "AWS::CloudFormation::Stack") {
        yield* this.#nestedStack(resource).resources();
        continue;
      }
      yield {
        address: `${this.#place.stackName}/${resource.logicalId}`,
        logicalId: resource.logicalId,
        type: resource.type,
        properties: asObject(resolveValue(resource.properties, this.#lookup)),
        metadata: resource.metadata,
        ref: this.#identity(resource).ref,
        place: this.#place,
        assets: this.#scope.stack.assets,
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
    const raw = asObject(this.#scope.stack.template.Conditions)[name];
    if (raw === undefined) throw new TemplateError(`${this.#place.stackName} has no condition ${name}`);
    const value = resolveCondition(raw, this.#lookup);
    this.#conditions.set(name, value);
    return value;
  }

  #mapping(map: string, first: string, second: string): Json {
    const found = asObject(asObject(asObject(this.#scope.stack.template.Mappings)[map])[first])[second];
    if (found === undefined) throw new TemplateError(`no mapping ${map} ${first} ${second}`);
    return found;
  }

  #pseudoParameter(name: string): Json | typeof noValue | undefined {
    const { account, region, stackName } = this.#place;
    switch (name) {
      case "AWS::AccountId":
        return account;
      case "AWS::Region":
        return region;
      case "AWS::Partition":
        return "aws";
      case "AWS::URLSuffix":
        return "amazonaws.com";
      case "AWS::StackName":
        return stackName;
      case "AWS::StackId":
        return `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/${shortHash(stackName)}`;
      case "AWS::NotificationARNs":
        return [];
      case "AWS::NoValue":
        return noValue;
      default:
        return undefined;
    }
  }

  #ref(name: string): Json | typeof noValue {
    const pseudo = this.#pseudoParameter(name);
    if (pseudo !== undefined) return pseudo;
    const resource = this.#scope.resources.get(name);
    if (resource !== undefined) return this.#identity(resource).ref;
    return this.#parameter(name);
  }

  #parameter(name: string): Json {
    const given = this.#scope.parameters.get(name);
    if (given !== undefined) return given;
    const declared = asObject(this.#scope.stack.template.Parameters)[name];
    if (declared === undefined)
      throw new TemplateError(`${this.#place.stackName} has no ${name} to refer to`);
    const { Default: value, Type: type } = asObject(declared);
    if (value === undefined)
      throw new TemplateError(`parameter ${name} of ${this.#place.stackName} has no default`);
    if (typeof type !== "string" || !type.startsWith("AWS::SSM::Parameter::Value")) {
      return type === "CommaDelimitedList" && typeof value === "string" ? value.split(",") : value;
    }
    return this.#app.storedParameter(asString(value, name)) ?? "local";
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
    // Only plain values make up an identity; a full resolution would run in circles between roles and functions.
    const plain: Record<string, Json> = {};
    for (const [name, value] of Object.entries(resource.properties)) {
      if (!/Name$|^Name$|^ProtocolType$|^FifoQueue$|^Value$|^Type$/.test(name)) continue;
      plain[name] = resolveValue(value, this.#lookup);
    }
    return make(this.#place, resource.logicalId, plain);
  }

  #getAtt(logicalId: string, attribute: string): Json {
    const resource = this.#scope.resources.get(logicalId);
    if (resource === undefined)
      throw new TemplateError(`${this.#place.stackName} has no resource ${logicalId}`);
    if (resource.type === "AWS::CloudFormation::Stack" && attribute.startsWith("Outputs.")) {
      return this.#nestedStack(resource).output(attribute.slice("Outputs.".length));
    }
    const found = this.#identity(resource).attributes[attribute];
    if (found !== undefined) return found;
    // What is not run here is only ever pointed at by what is not run here, or by a policy.
    return `${logicalId}.${attribute}`;
  }

  #nestedStack(resource: Resource): StackResolver {
    const known = this.#nested.get(resource.logicalId);
    if (known !== undefined) return known;
    const { stack } = this.#scope;
    const file = optionalString(resource.metadata["aws:asset:path"]) ?? this.#nestedTemplate(resource);
    const template: unknown = JSON.parse(readFileSync(join(stack.folder, file), "utf8"));
    if (!isObject(template)) throw new TemplateError(`${file} is not a template`);
    const parameters = Object.entries(asObject(resource.properties.Parameters)).map(
      ([name, value]): [string, Json] => [name, resolveValue(value, this.#lookup)],
    );
    const name = `${stack.name}-${resource.logicalId}`;
    const nested = new StackResolver(
      createStackScope({ ...stack, name, template }, new Map(parameters)),
      this.#app,
    );
    this.#nested.set(resource.logicalId, nested);
    return nested;
  }

  /** Without asset metadata, the template is the asset whose key the URL ends in. */
  #nestedTemplate(resource: Resource): string {
    const url = asString(resolveValue(resource.properties.TemplateURL ?? null, this.#lookup), "TemplateURL");
    const path = this.#scope.stack.assets.get(url.slice(url.lastIndexOf("/") + 1));
    if (path === undefined)
      throw new TemplateError(`the template of the nested stack ${resource.logicalId} is missing`);
    return path.slice(this.#scope.stack.folder.length + 1);
  }
}
