import { invalidNextToken } from "./secret-errors.ts";
import type { ListSecretsRequest } from "./secret-requests.ts";
import type { StoredSecret } from "./secret-store.ts";

export interface SecretPage {
  readonly secrets: readonly StoredSecret[];
  readonly nextToken: string | undefined;
}

/**
 * All filters must match, each by any of its values; a leading `!` excludes.
 *
 * Source: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecrets.html
 */
export function listSecrets(all: readonly StoredSecret[], request: ListSecretsRequest): SecretPage {
  const direction = request.SortOrder === "asc" ? 1 : -1;
  const matching = all
    .filter((secret) => request.IncludePlannedDeletion || secret.deletion === undefined)
    .filter((secret) => request.Filters.every(({ Key, Values }) => matchesFilter(secret, Key, Values)))
    .sort((a, b) => direction * (a.createdAtMs - b.createdAtMs || (a.name < b.name ? -1 : 1)));
  const from = startOf(request.NextToken);
  const next = from + request.MaxResults;
  return {
    secrets: matching.slice(from, next),
    nextToken: next < matching.length ? Buffer.from(String(next)).toString("base64url") : undefined,
  };
}

function startOf(token: string | undefined): number {
  if (token === undefined) return 0;
  const start = Number(Buffer.from(token, "base64url").toString("utf8"));
  if (!Number.isSafeInteger(start) || start < 1) throw invalidNextToken();
  return start;
}

type FilterKey = ListSecretsRequest["Filters"][number]["Key"];

function matchesFilter(secret: StoredSecret, key: FilterKey, values: readonly string[]): boolean {
  return values.some((value) =>
    value.startsWith("!") ? !startsWith(secret, key, value.slice(1)) : startsWith(secret, key, value),
  );
}

function startsWith(secret: StoredSecret, key: FilterKey, prefix: string): boolean {
  switch (key) {
    case "name":
      return secret.name.startsWith(prefix);
    case "description":
      return (secret.description ?? "").toLowerCase().startsWith(prefix.toLowerCase());
    case "tag-key":
      return Object.keys(secret.tags).some((tag) => tag.startsWith(prefix));
    case "tag-value":
      return Object.values(secret.tags).some((tag) => tag.startsWith(prefix));
  }
}
