export type Step =
  | { readonly do: "assign"; readonly workflow: number; readonly tags: readonly number[] }
  | { readonly do: "unassign"; readonly workflow: number; readonly tag: number }
  | { readonly do: "move"; readonly tag: number; readonly group: number | null }
  | { readonly do: "archive"; readonly tag: number; readonly isArchived: boolean }
  | { readonly do: "delete_tag"; readonly tag: number }
  | { readonly do: "delete_group"; readonly group: number }
  | { readonly do: "delete_workflow"; readonly workflow: number };

interface ModelTag {
  group: number | null;
  isArchived: boolean;
}

export class TaggingModel {
  readonly #workflows = new Map<number, Set<number>>();
  readonly #tags = new Map<number, ModelTag>();
  readonly #groups = new Set<number>();

  constructor(workflows: number, tags: number, groups: number) {
    for (let index = 0; index < workflows; index += 1) this.#workflows.set(index, new Set());
    for (let index = 0; index < tags; index += 1) {
      this.#tags.set(index, { group: index === 0 ? 0 : null, isArchived: false });
    }
    for (let index = 0; index < groups; index += 1) this.#groups.add(index);
  }

  perform(step: Step): string | undefined {
    switch (step.do) {
      case "assign":
        return this.#assign(step.workflow, step.tags);
      case "unassign":
        return this.#workflows.get(step.workflow)?.delete(step.tag) ? undefined : "not_found";
      case "move":
        return this.#move(step.tag, step.group);
      case "archive": {
        const tag = this.#tags.get(step.tag);
        if (!tag) return "not_found";
        tag.isArchived = step.isArchived;
        return undefined;
      }
      case "delete_tag":
        for (const having of this.#workflows.values()) having.delete(step.tag);
        return this.#tags.delete(step.tag) ? undefined : "not_found";
      case "delete_group":
        for (const tag of this.#tags.values()) if (tag.group === step.group) tag.group = null;
        return this.#groups.delete(step.group) ? undefined : "not_found";
      case "delete_workflow":
        return this.#workflows.delete(step.workflow) ? undefined : "not_found";
    }
  }

  #assign(workflow: number, numbers: readonly number[]): string | undefined {
    const wanted = numbers.map((number) => this.#tags.get(number));
    if (wanted.includes(undefined)) return "not_found";
    const groups = wanted.flatMap((tag) => tag?.group ?? []);
    if (new Set(groups).size < groups.length) return "invalid";
    const having = this.#workflows.get(workflow);
    if (!having) return "not_found";
    const added = numbers.filter((number) => !having.has(number));
    if (added.some((number) => this.#tags.get(number)?.isArchived)) return "tag_archived";
    for (const number of added) {
      const group = this.#tags.get(number)?.group ?? null;
      for (const other of having) {
        if (group !== null && this.#tags.get(other)?.group === group) having.delete(other);
      }
      having.add(number);
    }
    return undefined;
  }

  #move(number: number, group: number | null): string | undefined {
    const tag = this.#tags.get(number);
    if (!tag || (group !== null && !this.#groups.has(group))) return "not_found";
    const isClash = [...this.#workflows.values()].some(
      (having) =>
        having.has(number) &&
        [...having].some((other) => other !== number && this.#tags.get(other)?.group === group),
    );
    if (group !== null && group !== tag.group && isClash) return "conflict";
    tag.group = group;
    return undefined;
  }

  seen() {
    const tagsOf = new Map(
      [...this.#workflows].map(([workflow, having]): [number, readonly number[]] => [
        workflow,
        [...having].sort(),
      ]),
    );
    const tags = new Map(
      [...this.#tags].map(([number, { group, isArchived }]) => [
        number,
        { group, isArchived, count: [...this.#workflows.values()].filter((one) => one.has(number)).length },
      ]),
    );
    return { tagsOf, tags };
  }
}
