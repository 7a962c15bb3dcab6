import { describe, expect, it } from "vitest";
import { grantsOf, isOnTable, listOf, makeServiceApp, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp());
const grants = grantsOf(service);

const own = [
  "logs:CreateLogStream",
  "logs:PutLogEvents",
  "xray:PutTelemetryRecords",
  "xray:PutTraceSegments",
];
/** Signing keys and the data key. */
const keys = ["secretsmanager:GetSecretValue"];
const connections = ["execute-api:ManageConnections"];
const starting = ["lambda:InvokeFunction"];
const objects = ["s3:DeleteObject", "s3:GetObject", "s3:ListBucket", "s3:PutObject"];

/** The kinds of secrets that a function may do that with. */
function kindsOf(action: string, name: string): readonly string[] {
  const statements = grants.find((each) => each.name === name)?.statements ?? [];
  const allowing = statements.filter(
    ({ Effect, Action }) => Effect === "Allow" && listOf(Action).includes(action),
  );
  const found = JSON.stringify(allowing).matchAll(/:secret:das\/main\/\*\/(\w+)\/\*"/g);
  return [...found].map(([, kind = ""]) => kind).sort();
}

describe("what each function may do", () => {
  it.each([
    ["health", []],
    ["machinehealth", [keys, connections]],
    ["machines", [keys, connections, ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret"]]],
    ["computer", [keys, connections, objects]],
    ["driver", [keys]],
    ["docs", []],
    ["connections", [keys, connections]],
    ["logs", [keys]],
    ["workflows", [keys]],
    ["workflowtags", [keys]],
    ["modelconfigurations", [keys]],
    ["runs", [keys, objects]],
    ["runattachments", [keys, objects]],
    ["trajectories", [keys, objects]],
    ["pools", [keys, ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret"]]],
    ["providercredentials", [keys, ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret"]]],
    ["tunnel", [keys, connections]],
    [
      "sweeper",
      [
        connections,
        ["s3:DeleteObject", "s3:GetObject", "s3:ListBucket"],
        ["secretsmanager:DeleteSecret", "secretsmanager:ListSecrets"],
        [...starting, "lambda:ListDurableExecutionsByFunction"],
      ],
    ],
    [
      "projector",
      [
        connections,
        [
          "dynamodb:DescribeStream",
          "dynamodb:GetRecords",
          "dynamodb:GetShardIterator",
          "dynamodb:ListStreams",
        ],
        ["events:PutEvents", "s3:DeleteObject", "s3:ListBucket", "secretsmanager:DeleteSecret"],
        ["sqs:SendMessage"],
        starting,
      ],
    ],
    [
      "matcher",
      [
        [
          "dynamodb:DescribeStream",
          "dynamodb:GetRecords",
          "dynamodb:GetShardIterator",
          "dynamodb:ListStreams",
        ],
        ["s3:GetObject", "s3:ListBucket"],
        ["sqs:SendMessage"],
        starting,
      ],
    ],
    [
      "executor",
      [
        keys,
        connections,
        objects,
        starting,
        ["lambda:CheckpointDurableExecution", "lambda:GetDurableExecutionState", "sqs:SendMessage"],
      ],
    ],
    ["executionswatch", [["lambda:GetDurableExecution"]]],
  ])("%s beside the table: these actions and no others", (name, expected) => {
    const statements = grants.find((each) => each.name === name)?.statements ?? [];
    const allowing = statements.filter(({ Effect }) => Effect === "Allow");
    const besideTable = allowing.filter(({ Resource }) => !isOnTable(Resource));
    const actions = new Set(besideTable.flatMap(({ Action }) => listOf(Action)));
    expect([...actions].sort()).toEqual([...own, ...expected.flat()].sort());
  });

  it("covers every function there is", () => {
    expect(grants.map(({ name }) => name).sort()).toEqual([
      "computer",
      "connections",
      "docs",
      "driver",
      "executionswatch",
      "executor",
      "health",
      "logs",
      "machinehealth",
      "machines",
      "matcher",
      "modelconfigurations",
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
        .filter(({ Effect, Resource }) => Effect === "Allow" && listOf(Resource).includes("*"))
        .flatMap(({ Action }) => listOf(Action));
      const listing = name === "sweeper" ? ["secretsmanager:ListSecrets"] : [];
      expect(everywhere.sort()).toEqual([...listing, "xray:PutTelemetryRecords", "xray:PutTraceSegments"]);
    }
  });

  it.each([
    ["sweeper", ["spill/*", "attachments/*", "steps/*"]],
    ["projector", ["steps/*"]],
  ])("lists of the bucket only what it deletes: the %s", (name, prefixes) => {
    const listing = grants
      .find((each) => each.name === name)
      ?.statements.filter(({ Action }) => listOf(Action).includes("s3:ListBucket"));
    expect(listing?.map(({ Action, Condition }) => [Action, Condition])).toEqual([
      ["s3:ListBucket", { StringLike: { "s3:prefix": prefixes } }],
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
    expect(readers.map(({ name }) => name)).toEqual(["computer", "runs", "executor"]);
    for (const name of ["computer", "runs"]) {
      expect(kindsOf("secretsmanager:GetSecretValue", name)).toEqual(["machine", "pool"]);
    }
    expect(kindsOf("secretsmanager:GetSecretValue", "executor")).toEqual(["machine", "pool", "provider"]);
  });

  it("reads the platform's own keys where models are asked, and nowhere else", () => {
    const readers = grants.filter(({ statements }) =>
      JSON.stringify(statements).includes(":secret:das-platform/main/*"),
    );
    expect(readers.map(({ name }) => name)).toEqual(["executor"]);
  });

  it("writes each kind of secret where its owner is written, and deletes only under its own deployment", () => {
    const writers = ["machines", "pools", "providercredentials"];
    expect(writers.map((name) => kindsOf("secretsmanager:CreateSecret", name))).toEqual([
      ["machine"],
      ["pool"],
      ["provider"],
    ]);
    for (const name of writers) {
      expect(kindsOf("secretsmanager:DeleteSecret", name)).toEqual(
        kindsOf("secretsmanager:CreateSecret", name),
      );
    }
    expect(kindsOf("secretsmanager:DeleteSecret", "projector")).toEqual(["machine", "pool"]);
    expect(kindsOf("secretsmanager:DeleteSecret", "sweeper")).toEqual(["machine", "pool", "provider"]);
  });

  it("deletes no secret without the days in which it can be undone", () => {
    const deleting = grants.filter(({ statements }) =>
      statements.some(
        ({ Action, Effect }) => Effect === "Allow" && listOf(Action).includes("secretsmanager:DeleteSecret"),
      ),
    );
    expect(deleting).toHaveLength(5);
    for (const { statements } of deleting) {
      expect(statements.filter(({ Effect }) => Effect === "Deny")).toEqual([
        {
          Effect: "Deny",
          Action: "secretsmanager:DeleteSecret",
          Resource: "*",
          Condition: { Bool: { "secretsmanager:ForceDeleteWithoutRecovery": "true" } },
        },
      ]);
    }
  });

  it("uses no policy that AWS manages", () => {
    const roles = Object.values(service.Resources).filter(({ Type }) => Type === "AWS::IAM::Role");
    expect(roles.filter(({ Properties }) => Properties.ManagedPolicyArns !== undefined)).toEqual([]);
  });
});
