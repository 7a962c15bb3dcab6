import { matchesGlob } from "./glob.ts";
import type { AccessRequest } from "./policy.ts";
import { matchesAction, matchesArn } from "./policy.ts";
import type { PolicyDocument, PolicyStatement } from "./policy-document.ts";

const leadingKeys = "dynamodb:LeadingKeys";

/** The least that a statement grants: one action on one resource, of a table one pattern of leading keys. */
export interface GrantPart {
  readonly action: string;
  readonly resource: string;
  /** Null where any key is allowed, or the resource has no keys. */
  readonly leadingKey: string | null;
}

export interface GrantUse extends GrantPart {
  readonly functionName: string;
  readonly isUsed: boolean;
}

/** Records what each role may do, and which of these permissions have been used. */
export class GrantLog {
  readonly #roles = new Map<
    string,
    { readonly functionName: string; readonly parts: Map<string, GrantPart>; readonly used: Set<string> }
  >();

  /** The first name that a role is registered under is the one that it is listed by. */
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

  /** Records the parts of a statement that an allowed request used. */
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
