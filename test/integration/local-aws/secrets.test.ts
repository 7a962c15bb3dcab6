import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  type SecretsManagerClient,
  TagResourceCommand,
  UpdateSecretCommand,
} from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AwsEndpoint, startAwsEndpoint } from "../../../infra/local/aws/aws-endpoint.ts";
import { clientsOf, clientsOfRole } from "./clients.ts";

const dynamoDbLocal = { url: "http://127.0.0.1:9", port: 9, stop: async () => undefined };
const dayMs = 86_400_000;

let endpoint: AwsEndpoint;
let secrets: SecretsManagerClient;
let lateMs = 0;

beforeAll(async () => {
  endpoint = await startAwsEndpoint({ dynamoDbLocal });
  secrets = clientsOf(endpoint).secrets;
});
afterAll(() => endpoint?.stop());

const create = (Name: string, SecretString = "value", ClientRequestToken?: string) =>
  secrets.send(
    new CreateSecretCommand({ Name, SecretString, ...(ClientRequestToken && { ClientRequestToken }) }),
  );
const read = (SecretId: string, VersionStage?: string) =>
  secrets.send(new GetSecretValueCommand({ SecretId, ...(VersionStage && { VersionStage }) }));

describe("secrets", () => {
  it("are read by name, by ARN and by ARN without its last six characters", async () => {
    const { ARN = "" } = await create("das/t/read");
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:das\/t\/read-[A-Za-z0-9]{6}$/);
    for (const id of ["das/t/read", ARN, ARN.slice(0, -7)]) {
      expect(await read(id)).toMatchObject({ ARN, SecretString: "value", VersionStages: ["AWSCURRENT"] });
    }
  });

  it("are made once for one token, and refused for another or another value", async () => {
    const token = "t".repeat(32);
    const first = await create("das/t/once", "value", token);
    expect(await create("das/t/once", "value", token)).toMatchObject({ ARN: first.ARN, VersionId: token });
    await expect(create("das/t/once", "other", token)).rejects.toMatchObject({
      name: "ResourceExistsException",
    });
    await expect(create("das/t/once")).rejects.toMatchObject({ name: "ResourceExistsException" });
  });

  it("keep the value before the current one as AWSPREVIOUS, and only that", async () => {
    await create("das/t/rotated", "1");
    await expect(read("das/t/rotated", "AWSPREVIOUS")).rejects.toMatchObject({
      name: "ResourceNotFoundException",
    });
    for (const SecretString of ["2", "3"]) {
      await secrets.send(new PutSecretValueCommand({ SecretId: "das/t/rotated", SecretString }));
    }
    expect((await read("das/t/rotated")).SecretString).toBe("3");
    expect((await read("das/t/rotated", "AWSPREVIOUS")).SecretString).toBe("2");
    const { VersionIdsToStages } = await secrets.send(
      new DescribeSecretCommand({ SecretId: "das/t/rotated" }),
    );
    expect(
      Object.values(VersionIdsToStages ?? {})
        .flat()
        .sort(),
    ).toEqual(["AWSCURRENT", "AWSPREVIOUS"]);
  });

  it("cannot be read or made again while being deleted, and come back with RestoreSecret", async () => {
    const SecretId = "das/t/deleted";
    await create(SecretId);
    const { DeletionDate } = await secrets.send(
      new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }),
    );
    expect(Math.abs((DeletionDate?.getTime() ?? 0) - Date.now() - 7 * dayMs)).toBeLessThan(60_000);
    await expect(read(SecretId)).rejects.toMatchObject({ name: "InvalidRequestException" });
    await expect(create(SecretId)).rejects.toMatchObject({ name: "InvalidRequestException" });
    await secrets.send(new RestoreSecretCommand({ SecretId }));
    expect((await read(SecretId)).SecretString).toBe("value");
  });

  it("are gone at once by force, which what is not there survives", async () => {
    const SecretId = "das/t/forced";
    await create(SecretId);
    for (let times = 0; times < 2; times++) {
      await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
    }
    await expect(read(SecretId)).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    await expect(
      secrets.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 })),
    ).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  it.each([
    ["a recovery window of 6 days", { RecoveryWindowInDays: 6 }],
    ["a window together with force", { RecoveryWindowInDays: 7, ForceDeleteWithoutRecovery: true }],
  ])("refuse %s", async (_, request) => {
    const deletion = new DeleteSecretCommand({ SecretId: "das/t/read", ...request });
    await expect(secrets.send(deletion)).rejects.toMatchObject({ name: "InvalidParameterException" });
  });

  it("refuse more than 65,536 bytes and a name with blanks, without repeating the value", async () => {
    const large = await create("das/t/large", "§".repeat(40_000)).catch((error: unknown) => error);
    expect(large).toMatchObject({ name: "ValidationException" });
    expect(String(large)).not.toContain("§");
    await expect(create("das/t/a b")).rejects.toMatchObject({ name: "ValidationException" });
  });

  it("are listed by prefix in pages, with their tags", async () => {
    for (const name of ["das/list/1", "das/list/2", "das/list/3"]) await create(name);
    const Tags = [{ Key: "team", Value: "x" }];
    await secrets.send(new TagResourceCommand({ SecretId: "das/list/2", Tags }));
    const Filters = [{ Key: "name" as const, Values: ["das/list/"] }];
    const first = await secrets.send(new ListSecretsCommand({ Filters, MaxResults: 2 }));
    expect(first.SecretList?.map(({ Name }) => Name)).toEqual(["das/list/3", "das/list/2"]);
    expect(first.SecretList?.[1]?.Tags).toEqual(Tags);
    expect(first.SecretList?.[0]?.CreatedDate).toBeInstanceOf(Date);
    const NextToken = first.NextToken ?? "";
    const second = await secrets.send(new ListSecretsCommand({ Filters, MaxResults: 2, NextToken }));
    expect(second.SecretList?.map(({ Name }) => Name)).toEqual(["das/list/1"]);
    expect(second.NextToken).toBeUndefined();
  });

  it("refuse an operation that is not implemented by its name", async () => {
    await expect(
      secrets.send(new UpdateSecretCommand({ SecretId: "das/t/read", SecretString: "x" })),
    ).rejects.toMatchObject({ name: "NotImplemented", message: expect.stringContaining("UpdateSecret") });
  });
});

describe("a role that may make secrets below a prefix", () => {
  it("makes them there and nowhere else, and reads none", async () => {
    const role = clientsOfRole(endpoint, "machines", [
      {
        Action: ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret"],
        Resource: "arn:aws:secretsmanager:us-east-1:000000000000:secret:das/blue/*",
      },
      { Action: "secretsmanager:ListSecrets", Resource: "*" },
    ]).secrets;
    await role.send(new CreateSecretCommand({ Name: "das/blue/1", SecretString: "x" }));
    await role.send(new ListSecretsCommand({}));
    const denied = { name: "AccessDeniedException", $metadata: { httpStatusCode: 400 } };
    const outside = new CreateSecretCommand({ Name: "das/green/1", SecretString: "x" });
    await expect(role.send(outside)).rejects.toMatchObject(denied);
    await expect(read("das/green/1")).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    await expect(role.send(new GetSecretValueCommand({ SecretId: "das/blue/1" }))).rejects.toMatchObject(
      denied,
    );
    const tagged = new CreateSecretCommand({
      Name: "das/blue/2",
      SecretString: "x",
      Tags: [{ Key: "a", Value: "b" }],
    });
    await expect(role.send(tagged)).rejects.toMatchObject({
      ...denied,
      message: expect.stringContaining("secretsmanager:TagResource"),
    });
    await role.send(new DeleteSecretCommand({ SecretId: "das/blue/1" }));
    const elsewhere = new DeleteSecretCommand({ SecretId: "das/t/read", ForceDeleteWithoutRecovery: true });
    await expect(role.send(elsewhere)).rejects.toMatchObject(denied);
  });
});

describe("a data folder", () => {
  it("keeps secrets, readable by their owner only, until their recovery window is over", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "local-aws-test-"));
    const options = { dynamoDbLocal, dataDir, now: () => Date.now() + lateMs };
    try {
      const first = await startAwsEndpoint(options);
      const { secrets: before } = clientsOf(first);
      for (const Name of ["kept", "leaving"])
        await before.send(new CreateSecretCommand({ Name, SecretString: Name }));
      await before.send(new DeleteSecretCommand({ SecretId: "leaving", RecoveryWindowInDays: 7 }));
      await first.stop();
      expect((await stat(path.join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);

      lateMs = 8 * dayMs;
      const second = await startAwsEndpoint(options);
      expect(second.secrets.find("kept")?.versions[0]?.secretString).toBe("kept");
      expect(second.secrets.find("leaving")).toBeUndefined();
      await second.stop();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
