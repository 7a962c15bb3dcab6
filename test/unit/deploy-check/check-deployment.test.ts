import { describe, expect, it } from "vitest";
import { checkDeployment } from "../../../infra/deploy-check/check-deployment.ts";
import type { Wanted } from "../../../infra/deploy-check/wanted.ts";
import { parseSettings } from "../../../infra/settings.ts";
import { configOf, type FakeAccount } from "./fake-account.ts";

const bootstrap = { parameter: "/cdk-bootstrap/hnb659fds/version", versionMin: 6 };

function wanted(settings: Record<string, unknown> = {}, reserving = 0): Wanted {
  const stack = (name: string, resources: Wanted["stacks"][number]["resources"] = []) => ({
    name: `das-main-${name}`,
    region: undefined,
    bootstrap,
    resources,
  });
  return {
    settings: parseSettings({ lambdaConcurrency: 1_000, ...settings }),
    serviceStackName: "das-main-service",
    stacks: [
      stack("data", [{ type: "AWS::Events::EventBus", properties: { Name: "das-main" } }]),
      stack("operations", [{ type: "AWS::Budgets::Budget", properties: {} }]),
      stack("service", [
        { type: "AWS::Lambda::Function", properties: { ReservedConcurrentExecutions: reserving } },
      ]),
    ],
  };
}

/** What would not be ok, as the program prints it. */
async function problemsOf(account: FakeAccount, settings?: Record<string, unknown>, reserving?: number) {
  const findings = await checkDeployment(wanted(settings, reserving), configOf(account));
  return findings.filter(({ kind }) => kind !== "ok").map(({ kind, sentence }) => `${kind} ${sentence}`);
}

describe("deploy:check", () => {
  it("says what is there, by reading alone", async () => {
    const calls: string[] = [];
    const findings = await checkDeployment(wanted(), configOf({}, calls));
    expect(findings.map(({ kind }) => kind)).toEqual(findings.map(() => "ok"));
    expect(findings[0]?.sentence).toBe(
      "account 111122223333, Region eu-west-1, as arn:aws:sts::111122223333:assumed-role/deployer/me",
    );
    expect(calls.filter((call) => !/^\S+ (Get|GET |Describe)/.test(call))).toEqual([]);
  });

  it("says in one sentence that there are no credentials, or no Region", async () => {
    const none = () => Promise.reject(new Error("Could not load credentials from any providers"));
    await expect(checkDeployment(wanted(), { ...configOf(), credentials: none })).rejects.toThrow(
      /^there are no AWS credentials: set AWS_PROFILE/,
    );
    await expect(checkDeployment(wanted(), { ...configOf(), region: none })).rejects.toThrow(
      /^there is no Region: set AWS_REGION/,
    );
  });

  it("says that AWS does not take the credentials", async () => {
    await expect(checkDeployment(wanted(), configOf({ isTokenExpired: true }))).rejects.toThrow(
      /^AWS does not take these credentials, or is not reached: ExpiredToken/,
    );
  });

  it("goes on where these credentials may not read something", async () => {
    expect(await problemsOf({ refused: "ssm" })).toEqual([
      expect.stringMatching(/^unknown the bootstrap's version could not be read: AccessDenied/),
    ]);
  });

  it("knows an account that is not bootstrapped, and an old bootstrap", async () => {
    expect(await problemsOf({ bootstrapVersion: null })).toEqual([
      "stop nothing is bootstrapped in 111122223333/eu-west-1: npx cdk bootstrap aws://111122223333/eu-west-1",
    ]);
    expect(await problemsOf({ bootstrapVersion: 5 })).toEqual([
      "stop the bootstrap has version 5, and 6 is needed: npx cdk bootstrap aws://111122223333/eu-west-1",
    ]);
  });

  describe("the concurrency", () => {
    const askFor1000 =
      /^ask \d+ functions may run at once: ask for 1000 of "Concurrent executions": aws .* --service-code lambda --quota-code L-B99A9384 --desired-value 1000; .*"Small accounts"/;

    it.each([10, 400])("of %i is asked to be more, and the setting may have it", async (concurrency) => {
      expect(await problemsOf({ concurrency }, { lambdaConcurrency: concurrency })).toEqual([
        expect.stringMatching(askFor1000),
      ]);
    });

    it("may not be smaller than the setting", async () => {
      expect(await problemsOf({ concurrency: 10 })).toEqual([
        expect.stringMatching(askFor1000),
        "stop lambdaConcurrency is 1000, and the account has 10: set it to 10",
      ]);
    });

    it("is to be set", async () => {
      expect(await problemsOf({}, { lambdaConcurrency: undefined })).toEqual([
        "ask no function has a share of them, and none is bounded: set lambdaConcurrency to 1000",
      ]);
    });

    it("leaves 100 beside what other functions have reserved, at a first deployment", async () => {
      expect(await problemsOf({ unreserved: 900 }, {}, 840)).toEqual([
        expect.stringMatching(
          /^stop the functions would reserve 840 of the 900 .* ask for 1840 of "Concurrent/,
        ),
      ]);
      const stacks = { "das-main-service": "UPDATE_COMPLETE" };
      expect(await problemsOf({ unreserved: 160, stacks }, {}, 840)).toEqual([]);
    });
  });

  it("names a quota that is too low, with its code", async () => {
    const quotas = { "L-8A5B8E43": 2_500, "L-9ED1E49A": 500 };
    expect(await problemsOf({ quotas }, { throttleRate: 10_000 })).toEqual([
      expect.stringMatching(
        /^ask Throttle rate \(apigateway L-8A5B8E43\) is 2500, and 10000 are needed .* --quota-code L-8A5B8E43 --desired-value 10000$/,
      ),
      expect.stringMatching(
        /^ask New WebSocket connections per second \(apigateway L-9ED1E49A\) is 500, and 1000 are needed/,
      ),
    ]);
  });

  it("finds a name that is taken, unless the stack itself has it", async () => {
    const takenNames = ["das-main"];
    expect(await problemsOf({ takenNames })).toEqual([
      expect.stringMatching(/^stop das-main-data makes AWS::Events::EventBus das-main, whose name is taken/),
    ]);
    expect(await problemsOf({ takenNames, stacks: { "das-main-data": "UPDATE_COMPLETE" } })).toEqual([]);
  });

  it.each([
    ["ROLLBACK_COMPLETE", /^stop das-main-data is ROLLBACK_COMPLETE, .*: aws cloudformation delete-stack/],
    ["UPDATE_IN_PROGRESS", /^stop das-main-data is UPDATE_IN_PROGRESS: wait/],
    ["UPDATE_ROLLBACK_FAILED", /^stop das-main-data is UPDATE_ROLLBACK_FAILED: see infra\/RUNBOOK.md$/],
  ])("says what to do with a stack that is %s", async (status, sentence) => {
    const stacks = { "das-main-data": status };
    expect(await problemsOf({ stacks })).toEqual([expect.stringMatching(sentence)]);
  });

  it("needs API Gateway's log role for WebSocket access logs, and does not replace another's", async () => {
    const logRole = "arn:aws:iam::111122223333:role/others";
    expect(await problemsOf({}, { webSocketAccessLogs: true })).toEqual([
      expect.stringMatching(/^stop webSocketAccessLogs needs .* set apiGatewayLogRole, in one deployment/),
    ]);
    expect(await problemsOf({ logRole }, { webSocketAccessLogs: true })).toEqual([]);
    expect(await problemsOf({ logRole }, { apiGatewayLogRole: true })).toEqual([
      expect.stringMatching(/^ask API Gateway logs by arn:\S+ here, which apiGatewayLogRole would replace/),
    ]);
    expect(await problemsOf({}, { apiGatewayLogRole: true })).toEqual([]);
  });

  it("reads whether AWS's services may use the customer's key, without which logs are not made and alarms are lost", async () => {
    const kmsKeyArn = "arn:aws:kms:eu-west-1:111122223333:key/k";
    const services = ["logs.eu-west-1.amazonaws.com", "cloudwatch.amazonaws.com", "budgets.amazonaws.com"];
    const problems = (key: FakeAccount["key"]) => problemsOf(key === undefined ? {} : { key }, { kmsKeyArn });
    expect(await problems({ enabled: true, services })).toEqual([]);
    expect(await problems({ enabled: true, services: "cloudwatch.amazonaws.com" })).toEqual([
      expect.stringMatching(
        /^stop the policy of the key of kmsKeyArn does not let logs\.eu-west-1\.amazonaws\.com/,
      ),
      expect.stringMatching(/^ask what budgets\.amazonaws\.com says would not arrive/),
    ]);
    expect(await problems({ enabled: false, services })).toEqual([`stop the key ${kmsKeyArn} is disabled`]);
    expect(await problems(undefined)).toEqual([
      `stop there is no key ${kmsKeyArn} in this account and Region`,
    ]);
  });

  it("finds a type of resource that this Region does not have, also for a stack that is there", async () => {
    const unknownTypes = ["AWS::Budgets::Budget"];
    const sentence =
      "stop this Region has no AWS::Budgets::Budget, which das-main-operations makes: set monthlyBudgetUsd to 0, and make the budget by hand";
    expect(await problemsOf({ unknownTypes })).toEqual([sentence]);
    const stacks = { "das-main-operations": "UPDATE_COMPLETE" };
    expect(await problemsOf({ unknownTypes, stacks })).toEqual([sentence]);
  });

  it("refuses the edge's header where the deployed distribution does not send it", async () => {
    const names = {
      httpHostName: "api.example.com",
      httpCertificateArn: "arn:aws:acm:eu-west-1:1:certificate/a",
    };
    const edgeCertificateArn = "arn:aws:acm:us-east-1:1:certificate/a";
    const stacks = { "das-main-service": "UPDATE_COMPLETE" };
    expect(await problemsOf({ stacks }, { ...names, edgeCertificateArn, edge: "require" })).toEqual([
      expect.stringMatching(/^stop the setting edge cannot go from none to require/),
    ]);
  });
});
