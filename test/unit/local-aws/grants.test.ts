import { describe, expect, it } from "vitest";
import { GrantLog } from "../../../infra/local/aws/grants.ts";
import { Principals } from "../../../infra/local/aws/principals.ts";

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/main";

const policies = [
  {
    Statement: [
      {
        Effect: "Allow",
        Action: ["dynamodb:GetItem", "dynamodb:BatchGetItem"],
        Resource: table,
        Condition: {
          "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["ORG#*#RUN#*", "KEY#*"] },
          Null: { "dynamodb:LeadingKeys": "false" },
        },
      },
      { Effect: "Allow", Action: "s3:GetObject", Resource: ["arn:aws:s3:::a/*", "arn:aws:s3:::b/*"] },
    ],
  },
];

function setUp() {
  const grants = new GrantLog();
  const principals = new Principals(grants);
  const register = (functionName: string) =>
    principals.register({
      accessKeyId: functionName,
      secretAccessKey: "s",
      roleName: "role",
      functionName,
      policies,
    });
  const read = (action: string, ...keys: readonly string[]) => ({
    action: `dynamodb:${action}`,
    resource: table,
    context: { "dynamodb:LeadingKeys": keys },
  });
  const used = () =>
    grants
      .snapshot()
      .filter(({ isUsed }) => isUsed)
      .map(({ action, resource, leadingKey }) => [action, leadingKey ?? resource]);
  return { grants, principals, register, read, used };
}

describe("the log of what roles may do and have done", () => {
  it("has each action on each resource, of the table by each pattern, unused at first", () => {
    const { grants, register, used } = setUp();
    register("runs");
    expect(grants.snapshot()).toHaveLength(6);
    expect(grants.snapshot()[0]).toEqual({
      functionName: "runs",
      action: "dynamodb:GetItem",
      resource: table,
      leadingKey: "ORG#*#RUN#*",
      isUsed: false,
    });
    expect(used()).toEqual([]);
  });

  it("notes what an allowed request has used, and nothing of a refused one", () => {
    const { principals, register, read, used } = setUp();
    const runs = register("runs");
    expect(principals.refusal(runs, [read("GetItem", "KEY#1")])).toBeUndefined();
    expect(principals.refusal(runs, [read("GetItem", "RATE#1")])).toBeDefined();
    expect(principals.refusal(runs, [read("BatchGetItem", "KEY#1", "RATE#1")])).toBeDefined();
    expect(used()).toEqual([["dynamodb:GetItem", "KEY#*"]]);
    expect(principals.refusal(runs, [read("BatchGetItem", "ORG#1#RUN#2", "KEY#1")])).toBeUndefined();
    expect(
      principals.refusal(runs, [{ action: "s3:GetObject", resource: "arn:aws:s3:::b/1" }]),
    ).toBeUndefined();
    expect(used()).toEqual([
      ["dynamodb:GetItem", "KEY#*"],
      ["dynamodb:BatchGetItem", "ORG#*#RUN#*"],
      ["dynamodb:BatchGetItem", "KEY#*"],
      ["s3:GetObject", "arn:aws:s3:::b/*"],
    ]);
  });

  it("counts what is done in a role's name by another as the role's", () => {
    const { grants, principals, register, read, used } = setUp();
    register("runs");
    principals.refusal(register("runs event source"), [read("GetItem", "KEY#1")]);
    expect(used()).toEqual([["dynamodb:GetItem", "KEY#*"]]);
    expect(new Set(grants.snapshot().map(({ functionName }) => functionName))).toEqual(new Set(["runs"]));
  });
});
