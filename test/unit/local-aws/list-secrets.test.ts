import { describe, expect, it } from "vitest";
import { listSecrets } from "../../../infra/local/aws/secrets/list-secrets.ts";
import { ListSecretsRequest } from "../../../infra/local/aws/secrets/secret-requests.ts";
import type { StoredSecret } from "../../../infra/local/aws/secrets/secret-store.ts";

function secret(name: string, createdAtMs: number, fields: Partial<StoredSecret> = {}): StoredSecret {
  return {
    arn: `arn:${name}`,
    name,
    tags: {},
    createdAtMs,
    changedAtMs: createdAtMs,
    versions: [],
    ...fields,
  };
}

const all = [
  secret("das/blue/a", 1),
  secret("das/blue/b", 2),
  secret("das/green/c", 3),
  secret("other/das/blue", 4),
  secret("das/blue/gone", 5, { deletion: { deletedAtMs: 5, purgeAtMs: 6 } }),
];

function names(request: Partial<ListSecretsRequest>) {
  const { secrets } = listSecrets(all, ListSecretsRequest.parse(request));
  return secrets.map(({ name }) => name);
}

describe("listSecrets", () => {
  it("lists the newest first and leaves out what is being deleted", () => {
    expect(names({})).toEqual(["other/das/blue", "das/green/c", "das/blue/b", "das/blue/a"]);
  });

  it("takes a name filter as the beginning of the name, and values as alternatives", () => {
    expect(names({ Filters: [{ Key: "name", Values: ["das/blue/"] }] })).toEqual([
      "das/blue/b",
      "das/blue/a",
    ]);
    expect(names({ Filters: [{ Key: "name", Values: ["das/green", "other"] }] })).toEqual([
      "other/das/blue",
      "das/green/c",
    ]);
  });

  it("hands out pages that together are the whole list", () => {
    const seen: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = listSecrets(all, ListSecretsRequest.parse({ MaxResults: 3, NextToken }));
      seen.push(...page.secrets.map(({ name }) => name));
      NextToken = page.nextToken;
    } while (NextToken !== undefined);
    expect(seen).toEqual(names({}));
  });

  it("refuses a token that it did not make", () => {
    expect(() => listSecrets(all, ListSecretsRequest.parse({ NextToken: "bm9wZQ" }))).toThrow("NextToken");
  });
});
