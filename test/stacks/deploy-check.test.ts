import { expect, it } from "vitest";
import { openAccount } from "../../infra/deploy-check/account.ts";
import { checkNames } from "../../infra/deploy-check/checks/names.ts";
import { readWanted } from "../../infra/deploy-check/wanted.ts";
import { configOf } from "../unit/deploy-check/fake-account.ts";

it("reads each stack's Region, bootstrap and names from what would be deployed", async () => {
  const { stacks, settings, serviceStackName } = readWanted({
    deployment: "staging",
    canaries: true,
    syntheticRun: true,
    backupCopyVaultArn: "arn:aws:backup:eu-west-1:444455556666:backup-vault:das",
    edge: "send",
    httpHostName: "api.example.com",
    httpCertificateArn: "arn:aws:acm:eu-west-1:111122223333:certificate/a",
    edgeCertificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/a",
  });
  expect(settings.deployment).toBe("staging");
  expect(serviceStackName).toBe("das-staging-service");
  expect(stacks.map(({ name, region }) => [name, region]).sort()).toEqual([
    ["das-staging-data", undefined],
    ["das-staging-edge", "us-east-1"],
    ["das-staging-operations", undefined],
    ["das-staging-service", undefined],
  ]);
  for (const { bootstrap } of stacks) {
    expect(bootstrap).toEqual({
      parameter: "/cdk-bootstrap/hnb659fds/version",
      versionMin: expect.any(Number),
    });
  }
  const resources = stacks.flatMap((stack) => stack.resources);
  const takenNames = resources.flatMap(({ properties }) => Object.values(properties)).filter(isText);
  const account = openAccount(configOf({ takenNames }));
  const taken = (await Promise.all(stacks.map((stack) => checkNames(account, stack)))).flat();
  const types = new Set(taken.map(({ sentence }) => /AWS::\w+::\w+/.exec(sentence)?.[0]));
  expect([...types].sort()).toEqual([
    "AWS::ApiGatewayV2::DomainName",
    "AWS::Backup::BackupVault",
    "AWS::CloudWatch::CompositeAlarm",
    "AWS::Events::EventBus",
    "AWS::Synthetics::Canary",
  ]);
});

function isText(value: unknown): value is string {
  return typeof value === "string";
}
