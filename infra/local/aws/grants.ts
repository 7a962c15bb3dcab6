import { matchesGlob } from "./glob.ts";
import type { AccessRequest } from "./policy.ts";
import { matchesAction, matchesArn } from "./policy.ts";
import type { PolicyDocument, PolicyStatement } from "./policy-document.ts";

const leadingKeys = "dynamodb:LeadingKeys";

export interface GrantPart {
  readonly action: string;
  readonly resource: string;
  /** Null means that any key is allowed, or that the resource has no keys. */
  readonly leadingKey: string | null;
}

export interface GrantUse extends GrantPart {
  readonly functionName: string;
  readonly isUsed: boolean;
}

export class GrantLog {
  readonly #roles = new Map<
    string,
    { readonly functionName: string; readonly parts: Map<string, GrantPart>; readonly used: Set<string> }
  >();

  /** A role is listed by the first name that it was registered under. */
  add(role: string, functionName: string, policies: readonly PolicyDocument[]): void {
    const allows = policies.flatMap(({ statements }) =>
      statements.filter(({ effect }) => effect === "Allow"),
    );
    const parts = new Map(allows.flatMap(partsOf).map((part) => [nameOf(part), part]));
    const known = this.#roles.get(role);
    this.#roles.set(role, {
      functionName: known?.functionName ?? functionName,
      parts,
      used: known?.used ?? new Set(),
    });
  }

  note(role: string, statement: PolicyStatement, request: AccessRequest): void {
    const used = this.#roles.get(role)?.used;
    for (const part of partsOf(statement)) if (serves(part, request)) used?.add(nameOf(part));
  }

  snapshot(): readonly GrantUse[] {
    return [...this.#roles.values()].flatMap(({ functionName, parts, used }) =>
      [...parts].map(([name, part]) => ({ functionName, ...part, isUsed: used.has(name) })),
    );
  }
}

function partsOf({ actions, resources, conditions }: PolicyStatement): readonly GrantPart[] {
  const patterns = conditions["ForAllValues:StringLike"]?.[leadingKeys] ?? [null];
  return actions.patterns.flatMap((action) =>
    resources.patterns.flatMap((resource) =>
      patterns.map((leadingKey) => ({ action, resource, leadingKey })),
    ),
  );
}

function serves({ action, resource, leadingKey }: GrantPart, request: AccessRequest): boolean {
  if (!matchesAction(action, request.action) || !matchesArn(resource, request.resource)) return false;
  return (
    leadingKey === null ||
    [request.context?.[leadingKeys] ?? []].flat().some((key) => matchesGlob(leadingKey, key))
  );
}

function nameOf({ action, resource, leadingKey }: GrantPart): string {
  return JSON.stringify([action, resource, leadingKey]);
}
