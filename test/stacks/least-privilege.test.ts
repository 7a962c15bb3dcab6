import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../infra/local/aws/glob.ts";
import { keyPatterns } from "../../shared/storage/table/key-patterns.ts";
import { grantsOf, isOnTable, listOf, makeServiceApp, type Statement, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp());
const functions = grantsOf(service).map(({ name, statements }) => ({
  name,
  statements: statements as readonly (Statement & { readonly Effect: string })[],
}));

function allowed(action: string, name: string): string {
  const statements = functions.find((each) => each.name === name)?.statements ?? [];
  return statements
    .filter(({ Effect, Action }) => Effect === "Allow" && listOf(Action).includes(action))
    .map(({ Resource }) => JSON.stringify(Resource))
    .join();
}

function holders(action: string): readonly string[] {
  return functions.map(({ name }) => name).filter((name) => allowed(action, name) !== "");
}

function found(pattern: RegExp, text: string): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, group = ""]) => group))].sort();
}

describe("the table", () => {
  const onTable = functions.flatMap(({ name, statements }) =>
    statements
      .filter(({ Resource }) => isOnTable(Resource))
      .map((statement) => ({ name, ...statement, actions: listOf(statement.Action) })),
  );
  const isIndex = ({ Resource }: Statement) => JSON.stringify(Resource).includes("/index/");
  const patternsOf = ({ Condition }: Statement) =>
    listOf(
      (Condition as Record<string, Record<string, string | string[]>>)["ForAllValues:StringLike"]?.[
        "dynamodb:LeadingKeys"
      ] ?? [],
    );

  it("is granted by the leading keys of items, and calls that name none are not", () => {
    const onItems = onTable.filter((statement) => !isIndex(statement));
    expect(onItems.length).toBeGreaterThan(60);
    for (const statement of onItems) {
      expect(statement.Effect).toBe("Allow");
      expect(statement.Condition).toEqual({
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": expect.anything() },
        Null: { "dynamodb:LeadingKeys": "false" },
      });
      expect(patternsOf(statement).length).toBeGreaterThan(0);
      for (const pattern of patternsOf(statement)) {
        expect(Object.values(keyPatterns) as string[]).toContain(pattern);
      }
    }
  });

  it("is queried by the indexes that a function uses, each by its name", () => {
    for (const { actions, Resource } of onTable.filter(isIndex)) {
      expect(actions).toEqual(["dynamodb:Query"]);
      expect(JSON.stringify(Resource)).not.toContain("*");
    }
  });

  it("shows the public health checks an item that is never there, and public functions no lists", () => {
    const grants = (name: string) =>
      onTable.filter((each) => each.name === name).map((each) => [...each.actions, ...patternsOf(each)]);
    expect(grants("health")).toEqual([["dynamodb:GetItem", "PROBE"]]);
    expect(grants("docs")).toEqual([]);
    expect(grants("console")).toEqual([]);
    expect(onTable.filter((each) => each.name === "driver" && isIndex(each))).toEqual([]);
  });

  it("has keys of the operator's program that no function writes, and organizations' own that one does", () => {
    const writing = onTable.filter(({ actions }) =>
      actions.some((action) => /(Put|Update|Delete|Write)/.test(action)),
    );
    expect(writing.length).toBeGreaterThan(30);
    const on = (key: string) =>
      writing
        .filter((statement) => patternsOf(statement).some((pattern) => matchesGlob(pattern, key)))
        .map(({ name, actions }) => [name, ...actions]);
    expect(on("KEY#1")).toEqual([["apikeys", "dynamodb:DeleteItem"]]);
    expect(on("OWN_KEY#1")).toEqual([
      ["apikeys", "dynamodb:DeleteItem"],
      ["apikeys", "dynamodb:PutItem"],
    ]);
  });
});

/** Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const inlinePolicyCharactersMax = 10_240;

describe("a role's policy", () => {
  it.each(functions)("of $name fits, with the longest names that a deployment can have", ({ statements }) => {
    // A reference becomes an ARN; the longest ones contain the name of a stack and a resource.
    const resolved = JSON.stringify(statements).replace(
      /\{"(Ref|Fn::ImportValue|Fn::GetAtt)":("[^"]*"|\[[^\]]*\])\}/g,
      `"${"x".repeat(140)}"`,
    );
    expect(resolved.length).toBeLessThan(inlinePolicyCharactersMax * 0.93);
  });
});

describe("drivers' sockets", () => {
  it("are posted to, closed, and asked about by exactly who does it", () => {
    const methods = holders("execute-api:ManageConnections").map((name) => [
      name,
      ...found(/\/([A-Z]+)\/@connections\/\*/g, allowed("execute-api:ManageConnections", name)),
    ]);
    expect(methods.sort()).toEqual([
      ["computer", "POST"],
      ["connections", "DELETE"],
      ["executor", "POST"],
      ["machinehealth", "POST"],
      ["machines", "POST"],
      ["projector", "DELETE", "POST"],
      ["sweeper", "DELETE", "GET", "POST"],
      ["tunnel", "DELETE", "POST"],
    ]);
  });
});

describe("executions", () => {
  it("are started on the alias, by whoever gives machines to runs and by the one before", () => {
    expect(holders("lambda:InvokeFunction").toSorted()).toEqual(
      ["sweeper", "projector", "matcher", "executor", "webhooks", "webhookdeliverer", "webhooksender"].sort(),
    );
    for (const [name, ...started] of [
      // The first is for the release before.
      ["webhooks", "webhookdelivererFunctionAliaslive", "webhooksenderFunction"],
      ["webhooksender", "webhookdelivererFunctionAliaslive"],
      ["webhookdeliverer", "webhookdelivererFunction", "webhooksenderFunction"],
    ] as const) {
      const names = found(/"((?:webhook|executor)\w+?)[0-9A-F]{8}"/g, allowed("lambda:InvokeFunction", name));
      expect(names, name).toEqual(started);
    }
    for (const name of ["sweeper", "projector", "matcher"]) {
      expect(allowed("lambda:InvokeFunction", name)).toContain('{"Ref":"executorFunctionAliaslive');
    }
    expect(allowed("lambda:InvokeFunction", "executor")).toMatch(/executorFunction[^,]+,"Arn"\]\},":live"/);
  });

  it("are gone on with by their own function, and read by who ends their runs", () => {
    for (const action of ["lambda:CheckpointDurableExecution", "lambda:GetDurableExecutionState"]) {
      expect(holders(action).toSorted()).toEqual(["executor", "webhookdeliverer"]);
    }
    expect(holders("lambda:GetDurableExecution").toSorted()).toEqual(["executionswatch", "sweeper"]);
    expect(holders("lambda:ListDurableExecutionsByFunction")).toEqual(["sweeper"]);
  });
});

describe("the event bus", () => {
  it("is written to by the projector alone, and no other bus", () => {
    expect(holders("events:PutEvents")).toEqual(["projector"]);
    const [, output] = /"Fn::ImportValue":"[^"]*:(\w+)"/.exec(allowed("events:PutEvents", "projector")) ?? [];
    expect(output).toMatch(/^ExportsOutputFnGetAttEventsArn/);
    expect(allowed("events:PutEvents", "projector")).not.toContain("*");
  });
});

describe("the bucket", () => {
  const prefixes = (action: string, name: string) => found(/\/([a-z]+)\/\*/g, allowed(action, name));

  it("shows the desktops' function what is on its way and what a run goes by, and lets it keep pictures and delete what drivers put", () => {
    expect(prefixes("s3:GetObject", "computer")).toEqual(["steps", "tunnel", "uploads"]);
    expect(prefixes("s3:PutObject", "computer")).toEqual(["steps", "tunnel", "uploads"]);
    expect(prefixes("s3:DeleteObject", "computer")).toEqual(["tunnel"]);
  });

  it("lets the projector delete what entities and runs' steps kept, and read what it sends of runs", () => {
    expect(prefixes("s3:DeleteObject", "projector")).toEqual(["attachments", "spill", "steps"]);
    expect(prefixes("s3:GetObject", "projector")).toEqual(["spill"]);
    expect(allowed("s3:PutObject", "projector")).toBe("");
  });

  it("shows the matcher what runs put out, and nothing else", () => {
    expect(prefixes("s3:GetObject", "matcher")).toEqual(["spill"]);
    for (const action of ["s3:PutObject", "s3:DeleteObject"]) expect(allowed(action, "matcher")).toBe("");
  });

  it("shows the runs' function what they put out and what they showed, and lets it write no step", () => {
    expect(prefixes("s3:GetObject", "runs")).toEqual(["spill", "steps"]);
    expect(prefixes("s3:PutObject", "runs")).toEqual(["attachments", "spill"]);
    expect(prefixes("s3:DeleteObject", "runs")).toEqual(["attachments", "spill"]);
  });

  it("shows the function that runs are followed by what they put out, and lets it write nothing", () => {
    expect(prefixes("s3:GetObject", "following")).toEqual(["spill"]);
    for (const action of ["s3:PutObject", "s3:DeleteObject"]) expect(allowed(action, "following")).toBe("");
  });

  it("shows whoever executes runs all that lies there, and lets it delete what is its own", () => {
    const all = ["attachments", "spill", "steps", "tunnel"];
    expect(prefixes("s3:GetObject", "executor")).toEqual(all);
    expect(prefixes("s3:PutObject", "executor")).toEqual(all);
    expect(prefixes("s3:DeleteObject", "executor")).toEqual(["steps", "tunnel"]);
  });

  it("is open to nobody as a whole", () => {
    for (const { name } of functions) {
      for (const action of ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]) {
        expect(allowed(action, name)).not.toMatch(/"\/\*"/);
      }
    }
  });
});
