import { describe, expect, it } from "vitest";
import { parseKeyArguments } from "./parse-key-arguments.ts";

const keyId = "0".repeat(32);

describe("the arguments of the keys command", () => {
  it("make a key on the local stack unless another is named", () => {
    const argv = ["create", "--organization", "org_1", "--scopes", "read,write,read", "--name", "CI"];
    expect(parseKeyArguments(argv)).toEqual({
      kind: "create",
      target: { kind: "local" },
      organizationId: "org_1",
      scopes: ["read", "write"],
      name: "CI",
      userId: undefined,
    });
  });

  it("name a deployed table, or a deployment", () => {
    const list = ["list", "--organization", "org_1"];
    expect(parseKeyArguments([...list, "--table", "T", "--region", "eu-west-1"])).toMatchObject({
      target: { kind: "table", tableName: "T", region: "eu-west-1" },
    });
    expect(parseKeyArguments([...list, "--deployment", "main"])).toMatchObject({
      target: { kind: "deployment", deployment: "main", region: undefined },
    });
  });

  it("take a key's id, also out of a whole key", () => {
    expect(parseKeyArguments(["revoke", "--key", keyId])).toMatchObject({ kind: "revoke", keyId });
    expect(parseKeyArguments(["revoke", "--key", `das_${keyId}_abc`])).toMatchObject({ keyId });
  });

  it.each([
    [["make"], /create, list, revoke, platform or rotate-data-key, not "make"/],
    [["create", "more", "--organization", "o", "--scopes", "read"], /"more" is one word too many/],
    [["create", "--scopes", "read"], /--organization must be/],
    [["create", "--organization", "a b", "--scopes", "read"], /--organization must be/],
    [["create", "--organization", "../a", "--scopes", "read"], /--organization must be/],
    [["create", "--organization", "a#b", "--scopes", "read"], /--organization must be/],
    [["create", "--organization", "o"], /--scopes names none/],
    [["create", "--organization", "o", "--scopes", "read,all"], /there is no scope "all"/],
    [["create", "--organization", "o", "--scopes", "read", "--user", "me"], /--user must be a UUID/],
    [["revoke"], /--key must be a key's id/],
    [["rotate-data-key", "--secret", "key", "--table", "T"], /--secret must be the ARN/],
    [["rotate-data-key", "--secret", "arn:aws:secretsmanager:x"], /--deployment or --table/],
    [["list", "--organization", "o", "--table", "T", "--deployment", "main"], /not both/],
    [["list", "--organization", "o", "--region", "eu-west-1"], /--region goes with/],
  ])("refuse %j in one sentence", (argv, sentence) => {
    expect(() => parseKeyArguments(argv)).toThrow(sentence);
  });

  it("repeat nothing of a mistyped key", () => {
    expect(() => parseKeyArguments(["revoke", "--key", `das_${keyId}x_secret`])).not.toThrow(/secret$/);
    expect(() => parseKeyArguments(["revoke", "--key", "das_x_hidden"])).toThrow(
      /^--key must be a key's id, 32 hexadecimal digits, as list shows it$/,
    );
  });
});
