import { type KeyKind, keyPatterns } from "../../shared/storage/table/key-patterns.ts";
import type { IndexName } from "../../shared/vocabulary/table.ts";
import type { Grant } from "./grant.ts";

/** Scan is left out because no query of the service needs it. */
type ItemAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "ConditionCheckItem";

type ItemGrant = Readonly<Partial<Record<KeyKind, readonly ItemAction[]>>>;

export interface TableGrant extends ItemGrant {
  /** Indexes hold only keys. */
  readonly indexes?: readonly IndexName[];
}

/** A role is held to its kinds of items, or with `off` has its actions on all items of the table. */
export const leadingKeysSettings = ["enforced", "off"] as const;
export type LeadingKeys = (typeof leadingKeysSettings)[number];

/** Each action has one statement, because all keys of a batch must be in one. */
export function tableAccess(
  tableArn: string,
  { indexes = [], ...items }: TableGrant,
  leadingKeys: LeadingKeys,
): readonly Grant[] {
  const onItems = [...patternsByAction(items)].map(([action, patterns]): Grant => {
    const grant = { actions: [`dynamodb:${action}`], resources: [tableArn] };
    if (leadingKeys === "off") return grant;
    return {
      ...grant,
      conditions: {
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
        // Without it a call that names no items would be allowed.
        Null: { "dynamodb:LeadingKeys": "false" },
      },
    };
  });
  if (indexes.length === 0) return onItems;
  const resources = indexes.map((index) => `${tableArn}/index/${index}`);
  return [...onItems, { actions: ["dynamodb:Query"], resources }];
}

function patternsByAction(items: ItemGrant): ReadonlyMap<ItemAction, readonly string[]> {
  const patterns = new Map<ItemAction, string[]>();
  for (const [kind, actions] of Object.entries(items)) {
    for (const action of actions) {
      patterns.set(action, [...(patterns.get(action) ?? []), keyPatterns[kind as KeyKind]]);
    }
  }
  return patterns;
}
