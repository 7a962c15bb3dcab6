import { describe, expect, it } from "vitest";
import { grantsOf, listOf, makeServiceApp, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp());
const grants = grantsOf(service);

const own = [
  "logs:CreateLogStream",
  "logs:PutLogEvents",
  "xray:PutTelemetryRecords",
  "xray:PutTraceSegments",
];
const table = [
  "BatchGetItem",
  "ConditionCheckItem",
  "DeleteItem",
  "GetItem",
  "PutItem",
  "Query",
  "UpdateItem",
].map((action) => `dynamodb:${action}`);
const signingKey = ["secretsmanager:GetSecretValue"];
const connections = ["execute-api:ManageConnections"];
const objects = ["s3:DeleteObject", "s3:GetObject", "s3:ListBucket", "s3:PutObject"];

describe("what each function may do", () => {
  it.each([
    ["health", [table]],
    ["machinehealth", [table, signingKey, connections]],
    [
      "machines",
      [
        table,
        signingKey,
        connections,
        ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret", "secretsmanager:TagResource"],
      ],
    ],
    ["computer", [table, signingKey, connections, objects]],
    ["driver", [table, signingKey]],
    ["docs", []],
    ["connections", [table, signingKey, connections]],
    ["workflows", [table, signingKey]],
    ["workflowtags", [table, signingKey]],
    ["runs", [table, signingKey, objects]],
    ["runattachments", [table, signingKey, objects]],
    ["trajectories", [table, signingKey, objects]],
    [
      "pools",
      [
        table,
        signingKey,
        ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret", "secretsmanager:TagResource"],
      ],
    ],
    [
      "providercredentials",
      [
        table,
        signingKey,
        ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret", "secretsmanager:TagResource"],
      ],
    ],
    ["tunnel", [table, signingKey, connections]],
    [
      "sweeper",
      [
        table,
        connections,
        ["s3:DeleteObject", "s3:GetObject", "s3:ListBucket"],
        ["secretsmanager:DeleteSecret", "secretsmanager:DescribeSecret", "secretsmanager:ListSecrets"],
      ],
    ],
    [
      "projector",
      [
        table,
        connections,
        [
          "dynamodb:DescribeStream",
          "dynamodb:GetRecords",
          "dynamodb:GetShardIterator",
          "dynamodb:ListStreams",
        ],
        ["events:PutEvents", "s3:DeleteObject", "secretsmanager:DeleteSecret"],
        ["sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:SendMessage"],
      ],
    ],
    [
      "matcher",
      [
        table,
        [
          "dynamodb:DescribeStream",
          "dynamodb:GetRecords",
          "dynamodb:GetShardIterator",
          "dynamodb:ListStreams",
        ],
        ["s3:GetObject", "s3:ListBucket"],
        ["sqs:GetQueueAttributes", "sqs:GetQueueUrl", "sqs:SendMessage"],
      ],
    ],
  ])("%s: these actions and no others", (name, expected) => {
    const statements = grants.find((each) => each.name === name)?.statements ?? [];
    const allowing = statements.filter(({ Effect }) => Effect === "Allow");
    const actions = new Set(allowing.flatMap(({ Action }) => listOf(Action)));
    expect([...actions].sort()).toEqual([...own, ...expected.flat()].sort());
  });

  it("covers every function there is", () => {
    expect(grants.map(({ name }) => name).sort()).toEqual([
      "computer",
      "connections",
      "docs",
      "driver",
      "health",
      "machinehealth",
      "machines",
      "matcher",
      "pools",
      "projector",
      "providercredentials",
      "runattachments",
      "runs",
      "sweeper",
      "trajectories",
      "tunnel",
      "workflows",
      "workflowtags",
    ]);
  });

  it("never scans, and names no action by a pattern", () => {
    const actions = grants.flatMap(({ statements }) => statements.flatMap(({ Action }) => listOf(Action)));
    expect(actions.filter((action) => /scan|\*/i.test(action))).toEqual([]);
  });

  it("reaches all resources only for what knows none", () => {
    for (const { name, statements } of grants) {
      const everywhere = statements
        .filter(({ Resource }) => listOf(Resource).includes("*"))
        .flatMap(({ Action }) => listOf(Action));
      const listing = name === "sweeper" ? ["secretsmanager:ListSecrets"] : [];
      expect(everywhere.sort()).toEqual([...listing, "xray:PutTelemetryRecords", "xray:PutTraceSegments"]);
    }
  });

  it("lists of the bucket only what entities keep, and only to sweep it", () => {
    const listing = grants
      .find(({ name }) => name === "sweeper")
      ?.statements.filter(({ Action }) => listOf(Action).includes("s3:ListBucket"));
    expect(listing?.map(({ Action, Condition }) => [Action, Condition])).toEqual([
      ["s3:ListBucket", { StringEquals: { "s3:prefix": ["spill/", "attachments/"] } }],
    ]);
  });

  it("reads customers' secrets, under its own deployment, only for runs", () => {
    const readers = grants.filter(({ statements }) =>
      statements.some(
        ({ Action, Resource }) =>
          listOf(Action).includes("secretsmanager:GetSecretValue") &&
          JSON.stringify(Resource).includes(":secret:das/"),
      ),
    );
    expect(readers.map(({ name }) => name)).toEqual(["runs"]);
    expect(JSON.stringify(readers[0]?.statements)).toMatch(/:secret:das\/main\/\*"/);
  });

  it("touches no secret of a customer but under its own deployment, and deletes none that it reads", () => {
    const ofDeployment = grants.flatMap(({ statements }) =>
      statements.filter(({ Action }) => listOf(Action).includes("secretsmanager:DeleteSecret")),
    );
    expect(ofDeployment).toHaveLength(5);
    for (const { Resource, Action } of ofDeployment) {
      expect(JSON.stringify(Resource)).toMatch(/:secret:das\/main\/\*"/);
      expect(listOf(Action)).not.toContain("secretsmanager:GetSecretValue");
    }
  });

  it("uses no policy that AWS manages", () => {
    const roles = Object.values(service.Resources).filter(({ Type }) => Type === "AWS::IAM::Role");
    expect(roles.filter(({ Properties }) => Properties.ManagedPolicyArns !== undefined)).toEqual([]);
  });
});
