import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { describe, expect, it } from "vitest";
import { runPlatformKeys } from "../../../infra/keys/platform-keys.ts";
import { SecretsManagerPlatformKeys } from "../../../shared/secrets/platform-keys.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { parseKeyArguments } from "./parse-key-arguments.ts";

function setUp() {
  const secrets = new Map<string, { text: string; isDeleted: boolean }>();
  const missing = () => new ResourceNotFoundException({ message: "none", $metadata: {} });
  const deleted = () => new InvalidRequestException({ message: "it was marked for deletion", $metadata: {} });
  const send = async (command: { readonly input: object }) => {
    const {
      SecretId = "",
      Name = SecretId,
      SecretString: text = "",
    } = command.input as Record<string, string>;
    const secret = secrets.get(Name);
    if (command instanceof CreateSecretCommand) secrets.set(Name, { text, isDeleted: false });
    else if (secret === undefined) throw missing();
    else if (command instanceof RestoreSecretCommand) secret.isDeleted = false;
    else if (command instanceof DescribeSecretCommand) {
      return { LastChangedDate: new Date(0), ...(secret.isDeleted && { DeletedDate: new Date(0) }) };
    } else if (secret.isDeleted) throw deleted();
    else if (command instanceof DeleteSecretCommand) secret.isDeleted = true;
    else if (command instanceof PutSecretValueCommand) secret.text = text;
    else if (command instanceof GetSecretValueCommand) return { SecretString: secret.text };
    return {};
  };
  const client = { send } as unknown as Pick<SecretsManagerClient, "send">;
  const run = async (line: string, given = "") => {
    const command = parseKeyArguments(`platform ${line} --deployment main`.split(" "));
    if (command.kind !== "platform") throw new Error("another command");
    return await runPlatformKeys(client, command, async () => given);
  };
  const clock = new FakeClock();
  const found = new SecretsManagerPlatformKeys({ client, deployment: "main", clock });
  return { run, secrets, found, clock };
}

const key = "sk-platform-0123456789";

describe("npm run keys -- platform", () => {
  it("sets a key that is read from standard input, replaces it, and takes it back", async () => {
    const { run, secrets, found, clock } = setUp();
    expect(await found.find("openai")).toBeUndefined();
    const { out, err } = await run("set openai", `${key}\n`);
    expect([...out, ...err].join()).not.toContain(key);
    expect([...secrets.keys()]).toEqual(["das-platform/main/openai"]);
    expect(await found.find("openai")).toEqual({ authType: "api_key", apiKey: key });
    await run("set openai", `${key}-2`);
    expect(await found.find("openai")).toEqual({ authType: "api_key", apiKey: key });
    clock.advance(300_000);
    expect(await found.find("openai")).toEqual({ authType: "api_key", apiKey: `${key}-2` });
    await run("remove openai");
    clock.advance(300_000);
    expect(await found.find("openai")).toBeUndefined();
    await expect(run("remove openai")).rejects.toThrow("the platform has no key of openai");
    await run("set openai", key);
    expect(await found.find("openai")).toEqual({ authType: "api_key", apiKey: key });
  });

  it("lists the slots and none of their keys", async () => {
    const { run } = setUp();
    await run("set anthropic", key);
    await run("set google", key);
    await run("remove google");
    expect((await run("list")).out).toEqual([
      "anthropic\tset 1970-01-01T00:00:00.000Z",
      "openai\tnone",
      "google\tnone",
      "aws_bedrock\tnone",
    ]);
  });

  const file = { type: "service_account", project_id: "p", client_email: "a@b.c", private_key: "k" };
  const iam = {
    auth_type: "aws_iam",
    access_key_id: "AKIDEXAMPLE12345678",
    secret_access_key: "s".repeat(40),
    aws_region: "us-east-1",
  };
  it.each([
    ["google", file, { authType: "service_account_json", serviceAccountJson: JSON.stringify(file) }],
    [
      "aws_bedrock",
      iam,
      {
        authType: "aws_iam",
        accessKeyId: iam.access_key_id,
        secretAccessKey: iam.secret_access_key,
        awsRegion: "us-east-1",
      },
    ],
  ] as const)("takes what the slot %s takes", async (slot, given, expected) => {
    const { run, found } = setUp();
    await run(`set ${slot}`, JSON.stringify(given));
    expect(await found.find(slot)).toEqual(expected);
  });

  it.each([
    ["set anthropic", "", "standard input has no key"],
    ["set anthropic", "too-short", "no key of anthropic"],
    ["set anthropic", JSON.stringify(iam), "which takes api_key"],
    ["set aws_bedrock", key, "which takes aws_bedrock_api_key or aws_iam"],
    ["set google", "{not json of a key", "no key of google"],
  ])("refuses what is no key of the slot, and repeats nothing of it: %s", async (line, given, words) => {
    const { run, secrets } = setUp();
    const error = await run(line, given).catch((refusal: Error) => refusal.message);
    expect(error).toContain(words);
    if (given !== "") expect(error).not.toContain(given);
    expect(secrets.size).toBe(0);
  });

  it.each([
    ["platform set openai", "--deployment says"],
    ["platform set openai --table t", "--deployment says"],
    ["platform set mistral --deployment main", "the slot is one of"],
    ["platform set openai sk-key --deployment main", "one word too many"],
    ["platform --deployment main", "after platform comes"],
  ])("says what is wrong with %s", (line, words) => {
    expect(() => parseKeyArguments(line.split(" "))).toThrow(words);
  });
});
