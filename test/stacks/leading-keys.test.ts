import { describe, expect, it } from "vitest";
import { evaluatePolicies } from "../../infra/local/aws/policy.ts";
import { parsePolicyDocument } from "../../infra/local/aws/policy-document.ts";
import { grantsOf, isOnTable, listOf, makeServiceApp, templatesOf } from "./synthesize.ts";

const tableArn = "arn:aws:dynamodb:us-east-1:000000000000:table/main";

/** What the roles say about the table, its ARN in place of the reference to it. */
function tableGrantsWith(settings: Record<string, unknown>) {
  return grantsOf(templatesOf(makeServiceApp(settings)).service).map(({ name, statements }) => ({
    name,
    statements: statements
      .filter(({ Resource }) => isOnTable(Resource))
      .map((statement) => ({ ...statement, Resource: resourcesIn(statement.Resource) })),
  }));
}

function resourcesIn(resource: unknown): readonly string[] {
  const indexes = [...JSON.stringify(resource).matchAll(/"(\/index\/\w+)"/g)];
  return indexes.length === 0 ? [tableArn] : indexes.map(([, index]) => `${tableArn}${index}`);
}

const enforced = tableGrantsWith({});
const off = tableGrantsWith({ leadingKeys: "off" });

function verdict(grants: typeof enforced, name: string, action: string, leadingKey: string | undefined) {
  const Statement = grants.find((each) => each.name === name)?.statements;
  return evaluatePolicies([parsePolicyDocument({ Statement })], {
    action: `dynamodb:${action}`,
    resource: tableArn,
    context: { "dynamodb:LeadingKeys": leadingKey === undefined ? [] : [leadingKey] },
  }).kind;
}

describe("leadingKeys off", () => {
  it("grants each function the same actions on the same resources, and no condition", () => {
    const granted = (grants: typeof enforced) =>
      grants.map(({ name, statements }) => {
        const pairs = statements.flatMap(({ Action, Resource }) =>
          listOf(Action).flatMap((action) => Resource.map((resource) => `${action} ${resource}`)),
        );
        return { name, pairs: [...new Set(pairs)].sort() };
      });
    expect(granted(off)).toEqual(granted(enforced));
    expect(off.flatMap(({ statements }) => statements).filter(({ Condition }) => Condition)).toEqual([]);
  });

  it.each([
    ["health", "GetItem", "PROBE", "allowed", "allowed"],
    ["health", "GetItem", "KEY#1", "denied", "allowed"],
    ["tunnel", "PutItem", "OWN_KEY#1", "denied", "allowed"],
    ["tunnel", "PutItem", undefined, "denied", "allowed"],
    ["health", "PutItem", "PROBE", "denied", "denied"],
    ["tunnel", "Scan", undefined, "denied", "denied"],
  ])("judges %s by %s of %s: %s enforced, %s off", (name, action, key, whenEnforced, whenOff) => {
    expect([verdict(enforced, name, action, key), verdict(off, name, action, key)]).toEqual([
      whenEnforced,
      whenOff,
    ]);
  });
});
