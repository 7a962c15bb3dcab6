import { describe, expect, it } from "vitest";
import { grantsOf, listOf, makeServiceApp, type Statement, templatesOf } from "./synthesize.ts";

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

/** What the first group of the pattern finds, each once and in order. */
function found(pattern: RegExp, text: string): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, group = ""]) => group))].sort();
}

describe("the items of API keys", () => {
  it.each(holders("dynamodb:PutItem"))("cannot be written by %s", (name) => {
    const { statements = [] } = functions.find((each) => each.name === name) ?? {};
    const denials = statements.filter(({ Effect }) => Effect === "Deny");
    const writes = ["dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:PutItem"];
    expect(denials).toHaveLength(1);
    expect([...listOf(denials[0]?.Action ?? [])].sort()).toEqual(
      name === "sweeper" ? writes : [...writes, "dynamodb:UpdateItem"],
    );
    // One such item among others is enough: with ForAllValues a batch of two could smuggle it in.
    expect(denials[0]?.Condition).toEqual({
      "ForAnyValue:StringLike": { "dynamodb:LeadingKeys": "KEY#*" },
    });
    const table = listOf(
      statements.find(({ Action }) => listOf(Action).includes("dynamodb:PutItem"))?.Resource,
    );
    expect(JSON.stringify(table)).toContain(JSON.stringify(denials[0]?.Resource));
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
      ["machinehealth", "POST"],
      ["machines", "POST"],
      ["projector", "DELETE", "POST"],
      ["sweeper", "DELETE", "POST"],
      ["tunnel", "DELETE", "POST"],
    ]);
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

  it("shows the desktops' function what is on its way, and lets it delete what drivers put", () => {
    expect(prefixes("s3:GetObject", "computer")).toEqual(["tunnel", "uploads"]);
    expect(prefixes("s3:PutObject", "computer")).toEqual(["tunnel", "uploads"]);
    expect(prefixes("s3:DeleteObject", "computer")).toEqual(["tunnel"]);
  });

  it("lets the projector delete what entities kept, and nothing else", () => {
    expect(prefixes("s3:DeleteObject", "projector")).toEqual(["attachments", "spill"]);
    for (const action of ["s3:GetObject", "s3:PutObject", "s3:ListBucket"]) {
      expect(allowed(action, "projector")).toBe("");
    }
  });

  it("shows the matcher what runs put out, and nothing else", () => {
    expect(prefixes("s3:GetObject", "matcher")).toEqual(["spill"]);
    for (const action of ["s3:PutObject", "s3:DeleteObject"]) expect(allowed(action, "matcher")).toBe("");
  });

  it("is open to nobody as a whole", () => {
    for (const { name } of functions) {
      for (const action of ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]) {
        expect(allowed(action, name)).not.toMatch(/"\/\*"/);
      }
    }
  });
});
