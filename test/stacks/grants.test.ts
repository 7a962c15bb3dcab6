import { describe, expect, it } from "vitest";
import { linesIn, readFixture } from "../contract/fixture-files.ts";
import { type GrantLine, grantLinesOf } from "./grant-lines.ts";
import { grantsOf, isOnTable, listOf, makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp());
const grants = grantsOf(service);

const own = ["logs:CreateLogStream", "logs:PutLogEvents"];
const keys = ["secretsmanager:GetSecretValue"];
const connections = ["execute-api:ManageConnections"];
const starting = ["lambda:InvokeFunction"];
const passing = ["s3:DeleteObject", "s3:GetObject", "s3:ListBucket", "s3:PutObject"];
const objects = [...passing, "s3:PutObjectTagging"];
const making = ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret", "secretsmanager:TagResource"];

/** The executor of a held run waits for a callback. */
const waking = ["lambda:SendDurableExecutionCallbackSuccess"];

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
  const more: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries([
    ["health", []],
    ["machinehealth", [keys, connections]],
    ["machines", [keys, connections, making]],
    ["computer", [keys, connections, passing]],
    ["docs", []],
    ["console", []],
    ["connections", [keys, connections]],
    ["runs", [keys, objects, waking]],
    ["following", [keys, ["s3:GetObject", "s3:ListBucket"]]],
    ["runattachments", [keys, objects]],
    ["schedules", [keys, objects]],
    ["trajectories", [keys, objects]],
    ["pools", [keys, making]],
    ["providercredentials", [keys, making]],
    ["tunnel", [keys, connections]],
    [
      "sweeper",
      [
        connections,
        ["s3:DeleteObject", "s3:GetObject", "s3:GetObjectTagging", "s3:ListBucket"],
        ["secretsmanager:DeleteSecret", "secretsmanager:ListSecrets"],
        [...starting, ...waking, "lambda:GetDurableExecution", "lambda:ListDurableExecutionsByFunction"],
      ],
    ],
    ["scheduler", [["s3:GetObject", "s3:ListBucket", "s3:PutObject", "s3:PutObjectTagging"]]],
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
        keys,
        ["events:PutEvents", "s3:DeleteObject", "secretsmanager:DeleteSecret"],
        ["s3:GetObject", "s3:ListBucket"],
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
    ["webhooks", [keys, making, starting]],
    ["webhooksender", [keys, starting, ["sqs:SendMessage"]]],
    [
      "webhookdeliverer",
      [
        keys,
        starting,
        ["lambda:CheckpointDurableExecution", "lambda:GetDurableExecutionState", "sqs:SendMessage"],
      ],
    ],
  ]);

  it("names functions that there are", () => {
    const names = grants.map(({ name }) => name);
    expect(Object.keys(more).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(grants)("$name beside the table: these actions and no others", ({ name, statements }) => {
    const expected = more[name] ?? [keys];
    const allowing = statements.filter(({ Effect }) => Effect === "Allow");
    const besideTable = allowing.filter(({ Resource }) => !isOnTable(Resource));
    const actions = new Set(besideTable.flatMap(({ Action }) => listOf(Action)));
    expect([...actions].sort()).toEqual([...own, ...expected.flat()].sort());
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
      expect(everywhere.sort()).toEqual(listing);
    }
  });

  it("is told of a missing object with 404, not 403, wherever it reads objects", () => {
    const on = (action: string) =>
      grants.flatMap(({ name, statements }) => {
        const found = statements.find(({ Action }) => listOf(Action).includes(action));
        return found === undefined ? [] : [[name, found.Condition] as const];
      });
    const readers = on("s3:GetObject").map(([name]) => name);
    expect(readers).toContain("sweeper");
    // S3 asks for the listing with no prefix, which a condition on the prefix refuses.
    expect(on("s3:ListBucket").filter(([name]) => readers.includes(name))).toEqual(
      readers.map((name) => [name, undefined]),
    );
    expect(on("s3:ListBucket").filter(([name]) => !readers.includes(name))).toEqual([]);
  });

  it("reads customers' secrets, under its own deployment, only for runs, what is sent of them, and to ask a provider about its key", () => {
    const readers = grants.filter(({ statements }) =>
      statements.some(
        ({ Action, Resource }) =>
          listOf(Action).includes("secretsmanager:GetSecretValue") &&
          JSON.stringify(Resource).includes(":secret:das/"),
      ),
    );
    expect(kindsOf("secretsmanager:GetSecretValue", "providercredentials")).toEqual(["provider"]);
    const sending = ["webhooks", "webhooksender", "webhookdeliverer"];
    expect(readers.map(({ name }) => name).sort()).toEqual(
      ["computer", "providercredentials", "runs", "executor", ...sending].sort(),
    );
    for (const name of sending) expect(kindsOf("secretsmanager:GetSecretValue", name)).toEqual(["webhook"]);
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
    const writers = ["machines", "pools", "providercredentials", "webhooks"];
    expect(writers.map((name) => kindsOf("secretsmanager:CreateSecret", name))).toEqual([
      ["machine"],
      ["pool"],
      ["provider"],
      ["webhook"],
    ]);
    for (const name of writers) {
      expect(kindsOf("secretsmanager:DeleteSecret", name)).toEqual(
        kindsOf("secretsmanager:CreateSecret", name),
      );
    }
    expect(kindsOf("secretsmanager:DeleteSecret", "projector")).toEqual(["machine", "pool"]);
    const sweeping = grants
      .find(({ name }) => name === "sweeper")
      ?.statements.filter(({ Action }) => listOf(Action).includes("secretsmanager:DeleteSecret"));
    expect(JSON.stringify(sweeping?.map(({ Resource }) => Resource)).match(/secret:[^"]*/g)).toEqual([
      "secret:das/main/*",
    ]);
  });

  it("deletes no secret without the days in which it can be undone", () => {
    const deleting = grants.filter(({ statements }) =>
      statements.some(
        ({ Action, Effect }) => Effect === "Allow" && listOf(Action).includes("secretsmanager:DeleteSecret"),
      ),
    );
    expect(deleting).toHaveLength(6);
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
    const roles = resourcesOf(service, "AWS::IAM::Role").filter(({ Properties }) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes("lambda.amazonaws.com"),
    );
    expect(roles).toHaveLength(grants.length);
    expect(roles.filter(({ Properties }) => Properties.ManagedPolicyArns !== undefined)).toEqual([]);
  });
});

describe("beside the release before", () => {
  it("may do what its versions of that release do, since a role has no versions", () => {
    const today = new Map(grantLinesOf(service).map(({ name, grants }) => [name, new Set(grants)]));
    const before = linesIn<GrantLine>(readFixture("grants-before.jsonl"));
    // The sweeper has no old versions, and does a minute later what it could not.
    const lost = before
      .filter(({ name }) => name !== "sweeper")
      .flatMap(({ name, grants }) =>
        grants.filter((grant) => today.get(name)?.has(grant) === false).map((grant) => `${name} ${grant}`),
      );
    expect(lost).toEqual([]);
  });
});
