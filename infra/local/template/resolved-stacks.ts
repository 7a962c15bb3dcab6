import type { AssemblyStack } from "./cloud-assembly.ts";
import { type Json, TemplateError } from "./json.ts";
import { type Neighbours, type ResolvedResource, StackResolver } from "./stack-resolver.ts";

class AppResolver implements Neighbours {
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
