import { invalidNextToken } from "./secret-errors.ts";
import type { ListSecretsRequest } from "./secret-requests.ts";
import type { StoredSecret } from "./secret-store.ts";

export interface SecretPage {
  readonly secrets: readonly StoredSecret[];
  readonly nextToken: string | undefined;
}

/**
 * The newest are first. All filters must match, each by any of its values.
 *
 * Source: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecrets.html
 */
export function listSecrets(all: readonly StoredSecret[], request: ListSecretsRequest): SecretPage {
  const matching = all
    .filter(({ deletion }) => deletion === undefined)
    .filter(({ name }) =>
      request.Filters.every(({ Values }) => Values.some((value) => name.startsWith(value))),
    )
    .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.name < b.name ? 1 : -1));
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
