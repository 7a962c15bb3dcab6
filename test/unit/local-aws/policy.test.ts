import { describe, expect, it } from "vitest";
import { type AccessRequest, evaluatePolicies } from "../../../infra/local/aws/policy.ts";
import { parsePolicyDocument } from "../../../infra/local/aws/policy-document.ts";

const tableName = "arn:aws:dynamodb:us-east-1:000000000000:table/main";

const functionRole = [
  {
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Action: ["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem"],
        Resource: [tableName, `${tableName}/index/*`],
      },
      { Effect: "Allow", Action: ["s3:GetObject*", "s3:PutObject"], Resource: "arn:aws:s3:::files/*" },
      {
        Effect: "Allow",
        Action: "secretsmanager:CreateSecret",
        Resource: "arn:aws:secretsmanager:us-east-1:000000000000:secret:das/blue/*",
      },
      { Effect: "Allow", Action: "secretsmanager:ListSecrets", Resource: "*" },
    ],
  },
];

function verdict(policies: readonly unknown[], request: AccessRequest) {
  return evaluatePolicies(policies.map(parsePolicyDocument), request).kind;
}

function statement(fields: Record<string, unknown>) {
  return [{ Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource: "*", ...fields }] }];
}

function withCondition(condition: unknown, context: AccessRequest["context"]) {
  return verdict(statement({ Condition: condition }), {
    action: "s3:GetObject",
    resource: "arn:aws:s3:::files/a",
    ...(context && { context }),
  });
}

describe("evaluatePolicies", () => {
  it.each([
    ["dynamodb:GetItem", tableName],
    ["dynamodb:Query", `${tableName}/index/list`],
    ["DynamoDB:getitem", tableName],
    ["s3:GetObject", "arn:aws:s3:::files/a/b/c"],
    ["s3:GetObjectVersion", "arn:aws:s3:::files/a"],
    [
      "secretsmanager:CreateSecret",
      "arn:aws:secretsmanager:us-east-1:000000000000:secret:das/blue/o/m/1-AbCdEf",
    ],
    ["secretsmanager:ListSecrets", "*"],
  ])("allows %s on %s, which is granted", (action, resource) => {
    expect(verdict(functionRole, { action, resource })).toBe("allowed");
  });

  it.each([
    ["an action that is not granted", "dynamodb:DeleteItem", tableName],
    ["a scan", "dynamodb:Scan", tableName],
    ["a scan of an index", "dynamodb:Scan", `${tableName}/index/list`],
    ["another table", "dynamodb:GetItem", `${tableName}2`],
    ["another account's table", "dynamodb:GetItem", tableName.replace("000000000000", "111111111111")],
    ["another region's table", "dynamodb:GetItem", tableName.replace("us-east-1", "eu-west-1")],
    ["the stream of a granted table", "dynamodb:GetItem", `${tableName}/stream/2026`],
    ["another bucket", "s3:GetObject", "arn:aws:s3:::other/a"],
    ["a bucket whose name begins alike", "s3:GetObject", "arn:aws:s3:::files-2/a"],
    ["the bucket when only its objects are granted", "s3:GetObject", "arn:aws:s3:::files"],
    ["an action that begins alike without a wildcard", "s3:PutObjectTagging", "arn:aws:s3:::files/a"],
    [
      "a secret outside the prefix",
      "secretsmanager:CreateSecret",
      "arn:aws:secretsmanager:us-east-1:000000000000:secret:das/green/x",
    ],
    [
      "reading a secret that may only be made",
      "secretsmanager:GetSecretValue",
      "arn:aws:secretsmanager:us-east-1:000000000000:secret:das/blue/x",
    ],
  ])("denies %s", (_, action, resource) => {
    expect(verdict(functionRole, { action, resource })).toBe("denied");
  });

  it("denies everything to a role without policies", () => {
    expect(evaluatePolicies([], { action: "s3:GetObject", resource: "*" })).toEqual({
      kind: "denied",
      by: "no_allow",
    });
  });

  it("lets a Deny win over an Allow of another policy", () => {
    const policies = [
      ...statement({}),
      { Statement: { Effect: "Deny", Action: "s3:*", Resource: "arn:aws:s3:::files/private/*" } },
    ].map(parsePolicyDocument);
    const read = (key: string) =>
      evaluatePolicies(policies, { action: "s3:GetObject", resource: `arn:aws:s3:::files/${key}` });
    expect(read("private/a")).toEqual({ kind: "denied", by: "deny" });
    expect(read("public/a")).toMatchObject({ kind: "allowed" });
  });

  it("reads NotAction and NotResource as all the others", () => {
    const policies = [
      {
        Statement: [
          { Effect: "Allow", NotAction: "s3:Delete*", NotResource: "arn:aws:s3:::files/private/*" },
        ],
      },
    ];
    const resource = "arn:aws:s3:::files/a";
    expect(verdict(policies, { action: "s3:GetObject", resource })).toBe("allowed");
    expect(verdict(policies, { action: "s3:DeleteObject", resource })).toBe("denied");
    expect(verdict(policies, { action: "s3:GetObject", resource: "arn:aws:s3:::files/private/a" })).toBe(
      "denied",
    );
  });

  it("does not let a wildcard of one part of an ARN reach into the next", () => {
    const anyRegion = statement({ Resource: "arn:aws:dynamodb:*:000000000000:table/main" });
    expect(verdict(anyRegion, { action: "s3:GetObject", resource: tableName })).toBe("allowed");
    const tooShort = statement({ Resource: "arn:aws:dynamodb:*:table/main" });
    expect(verdict(tooShort, { action: "s3:GetObject", resource: tableName })).toBe("denied");
  });

  it("takes ? for exactly one character and every other character literally", () => {
    const policies = statement({ Resource: "arn:aws:s3:::files/v?.(a)" });
    const read = (key: string) =>
      verdict(policies, { action: "s3:GetObject", resource: `arn:aws:s3:::files/${key}` });
    expect(read("v1.(a)")).toBe("allowed");
    expect(read("v12.(a)")).toBe("denied");
    expect(read("v1xa")).toBe("denied");
  });
});

describe("conditions", () => {
  it.each([
    ["StringEquals", "blue", "allowed"],
    ["StringEquals", "Blue", "denied"],
    ["StringNotEquals", "blue", "denied"],
    ["StringNotEquals", "green", "allowed"],
    ["StringEqualsIgnoreCase", "BLUE", "allowed"],
    ["StringNotEqualsIgnoreCase", "BLUE", "denied"],
    ["StringLike", "blue", "allowed"],
    ["StringNotLike", "blue", "denied"],
    ["ArnLike", "blue", "allowed"],
  ])("%s on %s is %s", (operator, actual, expected) => {
    expect(withCondition({ [operator]: { "s3:prefix": "blue" } }, { "s3:prefix": actual })).toBe(expected);
  });

  it.each([
    ["StringEquals", "denied"],
    ["StringEqualsIfExists", "allowed"],
    ["StringNotEquals", "allowed"],
    ["ForAllValues:StringEquals", "allowed"],
    ["ForAnyValue:StringEquals", "denied"],
    ["ForAnyValue:StringNotEquals", "denied"],
  ])("%s on a key that the call does not carry is %s", (operator, expected) => {
    expect(withCondition({ [operator]: { "aws:TagKeys": "blue" } }, { "aws:TagKeys": undefined })).toBe(
      expected,
    );
  });

  it("wants every value for ForAllValues and one for ForAnyValue", () => {
    const keys = { "aws:TagKeys": ["blue", "red"] };
    expect(withCondition({ "ForAllValues:StringEquals": { "aws:TagKeys": ["blue", "green"] } }, keys)).toBe(
      "denied",
    );
    expect(withCondition({ "ForAllValues:StringLike": { "aws:TagKeys": ["b*", "r*"] } }, keys)).toBe(
      "allowed",
    );
    expect(withCondition({ "ForAnyValue:StringEquals": { "aws:TagKeys": ["blue", "green"] } }, keys)).toBe(
      "allowed",
    );
  });

  it("wants all conditions to hold", () => {
    const condition = { StringEquals: { a: "1" }, Bool: { b: "true" } };
    expect(withCondition(condition, { a: "1", b: "true" })).toBe("allowed");
    expect(withCondition(condition, { a: "1", b: "false" })).toBe("denied");
  });

  it("knows absence with Null, and compares numbers", () => {
    expect(withCondition({ Null: { a: "true" } }, { a: undefined })).toBe("allowed");
    expect(withCondition({ Null: { a: "true" } }, { a: "1" })).toBe("denied");
    expect(withCondition({ NumericLessThanEquals: { a: 10 } }, { a: "9" })).toBe("allowed");
    expect(withCondition({ NumericLessThanEquals: { a: 10 } }, { a: "11" })).toBe("denied");
  });

  it("finds keys without case and below a known prefix", () => {
    const context = { "aws:RequestTag/*": undefined, "aws:RequestTag/team": "blue" };
    expect(withCondition({ StringEquals: { "AWS:requesttag/Team": "blue" } }, context)).toBe("allowed");
    expect(withCondition({ StringEquals: { "aws:RequestTag/other": "blue" } }, context)).toBe("denied");
  });

  it("fails loudly on a key that the call is not known to have, allowing nothing by it", () => {
    expect(() => withCondition({ StringEquals: { "aws:SourceVpc": "vpc-1" } }, {})).toThrow("aws:SourceVpc");
  });
});

describe("parsePolicyDocument", () => {
  it.each([
    [
      "an unknown operator",
      { Condition: { DateGreaterThan: { "aws:CurrentTime": "2026-01-01" } } },
      "DateGreaterThan",
    ],
    [
      "an unknown operator behind a known suffix",
      { Condition: { IpAddressIfExists: { a: "b" } } },
      "IpAddress",
    ],
    [
      "a policy variable",
      { Resource: `arn:aws:s3:::files/${"$"}{aws:PrincipalTag/team}/*` },
      "policy variable",
    ],
    ["an intrinsic that was left in", { Resource: { Ref: "Bucket" } }, "no string"],
    ["a principal", { Principal: "*" }, "Principal"],
    ["an unknown effect", { Effect: "Maybe" }, "Maybe"],
    ["both Action and NotAction", { NotAction: "s3:*" }, "NotAction"],
    ["no resource", { Resource: undefined }, "Resource"],
  ])("refuses %s", (_, fields, named) => {
    expect(() => statement(fields).map(parsePolicyDocument)).toThrow(named);
  });
});

describe("a Deny by leading keys", () => {
  const policyWith = (quantifier: string) => [
    {
      Statement: [
        { Effect: "Allow", Action: "dynamodb:BatchWriteItem", Resource: tableName },
        {
          Effect: "Deny",
          Action: "dynamodb:BatchWriteItem",
          Resource: tableName,
          Condition: { [`${quantifier}:StringLike`]: { "dynamodb:LeadingKeys": "KEY#*" } },
        },
      ],
    },
  ];
  const batch = (...keys: readonly string[]): AccessRequest => ({
    action: "dynamodb:BatchWriteItem",
    resource: tableName,
    context: { "dynamodb:LeadingKeys": keys },
  });

  it.each([
    ["ForAnyValue", ["ORG#1"], "allowed"],
    ["ForAnyValue", ["KEY#1"], "denied"],
    ["ForAnyValue", ["ORG#1", "KEY#1"], "denied"],
    ["ForAnyValue", [], "allowed"],
    ["ForAllValues", ["ORG#1"], "allowed"],
    ["ForAllValues", ["KEY#1", "KEY#2"], "denied"],
    ["ForAllValues", ["ORG#1", "KEY#1"], "allowed"],
    ["ForAllValues", [], "denied"],
  ])("%s of %j is %s", (quantifier, keys, expected) => {
    expect(verdict(policyWith(quantifier), batch(...keys))).toBe(expected);
  });

  it("is judged loudly when the keys are not known", () => {
    const unknown = { action: "dynamodb:BatchWriteItem", resource: tableName, context: {} };
    expect(() => verdict(policyWith("ForAnyValue"), unknown)).toThrow("dynamodb:LeadingKeys");
  });
});
