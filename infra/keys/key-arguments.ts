import type { parseArgs } from "node:util";
import { isOrganizationId, type OrganizationId } from "../../shared/domain/organization-id.ts";
import { scopes as knownScopes, type Scope } from "../../shared/vocabulary/access.ts";
import { type ProviderSlot, providerSlots } from "../../shared/vocabulary/providers.ts";
import { type TableTarget, tableOptions, tableUsage, targetOf } from "../operator/table-target.ts";

export const usage = `Makes, lists and revokes API keys, keeps the platform's own keys of models' providers, and rotates the key that encrypts what lies in the table.

  npm run keys -- create --organization ID --scopes read,write [--name TEXT] [--user UUID]
  npm run keys -- list --organization ID
  npm run keys -- revoke --key ID
  npm run keys -- rotate-data-key --secret ARN --deployment NAME
  npm run keys -- platform set SLOT --deployment NAME < KEY_FILE
  npm run keys -- platform remove SLOT --deployment NAME
  npm run keys -- platform list --deployment NAME

Scopes: ${knownScopes.join(", ")}. A key with driver alone opens tunnels and nothing else.
create prints the key on standard output and everything else on standard error. It is shown once. npm itself prints
two lines before it; without them: KEY=$(npm run --silent keys -- create …)

SLOT is ${providerSlots.join(", ")}. The key is read from standard input: itself, a service account's file, or the JSON
that PUT /v1/provider-credentials/{slot} takes. Organizations that never configured the slot go by it.

${tableUsage}`;

type DeployedTarget = Exclude<TableTarget, { kind: "local" }>;

export type KeysCommand =
  | {
      readonly kind: "create";
      readonly target: TableTarget;
      readonly organizationId: OrganizationId;
      readonly scopes: readonly Scope[];
      readonly name: string;
      readonly userId: string | undefined;
    }
  | { readonly kind: "list"; readonly target: TableTarget; readonly organizationId: OrganizationId }
  | { readonly kind: "revoke"; readonly target: TableTarget; readonly keyId: string }
  | {
      readonly kind: "platform";
      readonly action:
        | { readonly kind: "set" | "remove"; readonly slot: ProviderSlot }
        | { readonly kind: "list" };
      readonly deployment: string;
      readonly region: string | undefined;
    }
  | { readonly kind: "rotate-data-key"; readonly secretId: string; readonly target: DeployedTarget };

export const options = {
  organization: { type: "string" },
  scopes: { type: "string" },
  name: { type: "string" },
  user: { type: "string" },
  key: { type: "string" },
  secret: { type: "string" },
  ...tableOptions,
} as const;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

type Given = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

/** @throws {Error} one sentence that says what is wrong. */
export function keysCommandOf(values: Given, [verb, ...rest]: readonly string[]): KeysCommand {
  if (verb === "platform") return platformOf(rest, targetOf(values));
  if (rest.length > 0) throw new Error(`"${rest[0]}" is one word too many; see --help`);
  const target = targetOf(values);
  switch (verb) {
    case "create":
      return {
        kind: "create",
        target,
        organizationId: organizationOf(values.organization),
        scopes: scopesOf(values.scopes),
        name: nameOf(values.name),
        userId: userOf(values.user),
      };
    case "list":
      return { kind: "list", target, organizationId: organizationOf(values.organization) };
    case "revoke":
      return { kind: "revoke", target, keyId: keyIdOf(values.key) };
    case "rotate-data-key":
      return { kind: verb, secretId: secretOf(values.secret), target: deployed(target) };
    default:
      throw new Error(
        `the command is create, list, revoke, platform or rotate-data-key, not "${verb ?? ""}"; see --help`,
      );
  }
}

/** The platform's secrets are named after the deployment, which a table does not identify. */
function platformOf(words: readonly string[], target: TableTarget): KeysCommand {
  const [verb, slotName, surplus] = words;
  if (surplus !== undefined) throw new Error(`"${surplus}" is one word too many; see --help`);
  if (target.kind !== "deployment") {
    throw new Error("--deployment says whose keys of the platform they are");
  }
  const { deployment, region } = target;
  const of = { kind: "platform", deployment, region } as const;
  if (verb === "list" && slotName === undefined) return { ...of, action: { kind: "list" } };
  if (verb !== "set" && verb !== "remove") {
    throw new Error("after platform comes set SLOT, remove SLOT or list");
  }
  const slot = providerSlots.find((each) => each === slotName);
  if (slot === undefined) throw new Error(`the slot is one of ${providerSlots.join(", ")}`);
  return { ...of, action: { kind: verb, slot } };
}

function organizationOf(text: string | undefined): OrganizationId {
  if (isOrganizationId(text)) return text;
  throw new Error(
    "--organization must be 1 to 128 of A-Z, a-z, 0-9, _, . and -, beginning with a letter or digit",
  );
}

function scopesOf(text: string | undefined): readonly Scope[] {
  const names = [...new Set((text ?? "").split(",").filter((name) => name !== ""))];
  const given = names.map((name) => knownScopes.find((scope) => scope === name));
  const found = given.filter((scope) => scope !== undefined);
  if (found.length > 0 && found.length === given.length) return found;
  const unknown = names[given.indexOf(undefined)];
  const problem = unknown === undefined ? "--scopes names none" : `there is no scope "${unknown}"`;
  throw new Error(`${problem}; the scopes are ${knownScopes.join(", ")}`);
}

function nameOf(text = ""): string {
  if (text.length <= 255) return text;
  throw new Error("--name must be at most 255 characters");
}

function userOf(text: string | undefined): string | undefined {
  if (text === undefined || uuid.test(text)) return text?.toLowerCase();
  throw new Error("--user must be a UUID");
}

/** The local stack keeps nothing long enough to rotate its key. */
function deployed(target: TableTarget): DeployedTarget {
  if (target.kind !== "local") return target;
  throw new Error("--deployment or --table says whose table is encrypted under the data key");
}

function secretOf(text = ""): string {
  if (/^arn:aws[a-z-]*:secretsmanager:/.test(text)) return text;
  throw new Error("--secret must be the ARN of the data key's secret, the data stack's output DataKeyArn");
}

/** A whole key contains its id; nothing else of it is used or repeated. */
function keyIdOf(text: string | undefined): string {
  const [, id] = /^(?:das_)?([0-9a-f]{32})(?:_[0-9A-Za-z]+)?$/.exec(text ?? "") ?? [];
  if (id !== undefined) return id;
  throw new Error("--key must be a key's id, 32 hexadecimal digits, as list shows it");
}
