import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { checkedActions } from "../deploy-check/checked-actions.ts";

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly Condition?: unknown;
}

interface Role {
  readonly Properties: {
    readonly AssumeRolePolicyDocument: { readonly Statement: readonly Statement[] };
    readonly Policies: readonly { readonly PolicyDocument: { readonly Statement: readonly Statement[] } }[];
  };
}

const folder = fileURLToPath(new URL("../../../infra/pipeline/", import.meta.url));
const template = JSON.parse(readFileSync(join(folder, "deploy-role.json"), "utf8"));

const roles: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "DeployRole",
    `repo:\${Repository}:environment:\${Environment}`,
    ["sts:AssumeRole", ...(await checkedActions())],
  ],
  [
    "DiffRole",
    `repo:\${Repository}:pull_request`,
    ["cloudformation:DescribeStacks", "cloudformation:GetTemplate"],
  ],
];

it.each(roles)("%s is for one subject of one repository, and may do no more", (name, subject, actions) => {
  const { AssumeRolePolicyDocument: trust, Policies } = (template.Resources[name] as Role).Properties;
  expect(trust.Statement.map(({ Condition }) => Condition)).toEqual([
    {
      StringEquals: {
        "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
        "token.actions.githubusercontent.com:sub": { "Fn::Sub": subject },
      },
    },
  ]);
  const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  expect(statements.flatMap(({ Action }) => Action).sort()).toEqual([...actions].sort());
  // These have no resource that could be named, or one that AWS names.
  const everywhere = [
    "cloudformation:DescribeType",
    "cloudformation:GetResource",
    "cloudwatch:DescribeAlarms",
    "iam:ListRoles",
    "lambda:GetAccountSettings",
    "s3:GetBucketLocation",
    "s3:ListAllMyBuckets",
    "synthetics:DescribeCanaries",
  ];
  for (const { Action, Resource } of statements) {
    if (Resource !== "*") {
      // A customer's key has an id that AWS chose.
      expect(JSON.stringify(Resource)).toMatch(/[:/](cdk|das|account|key\/\*")/);
      continue;
    }
    const named = [Action].flat().filter((action) => !action.startsWith("servicequotas:Get"));
    expect(named).toEqual(everywhere);
  }
});

it.each([
  ["a repository with GitHub's ids", "octo-org@123456/my.repo@456789", true],
  ["one of before July 2026", "octo-org/my.repo", true],
  ["no wildcard", "octo-org@*/my.repo", false],
])("takes %s", (_, repository, isTaken) => {
  // CloudFormation matches the whole value.
  const pattern = new RegExp(`^(?:${template.Parameters.Repository.AllowedPattern})$`);
  expect(pattern.test(repository)).toBe(isTaken);
});

it("a command gets each setting as an argument of its own, whatever it holds", () => {
  const bin = mkdtempSync(join(tmpdir(), "pipeline-"));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  writeFileSync(join(bin, "npx"), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o700 });
  const env = { PATH: `${bin}:${process.env.PATH}`, CDK_CONTEXT: "deployment=staging\n\nalarmEmail=$(id) a" };
  const output = execFileSync(join(folder, "with-settings.sh"), ["npx", "cdk", "deploy", "--all"], {
    env,
    encoding: "utf8",
  });
  expect(output.trim().split("\n")).toEqual([
    ...["cdk", "deploy", "--all"],
    ...["-c", "deployment=staging", "-c", "alarmEmail=$(id) a"],
  ]);
});
