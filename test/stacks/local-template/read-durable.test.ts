import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Duration, Stack } from "aws-cdk-lib";
import { Rule } from "aws-cdk-lib/aws-events";
import { LambdaFunction, SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { Code, Function as Fn, Runtime } from "aws-cdk-lib/aws-lambda";
import { SqsDestination } from "aws-cdk-lib/aws-lambda-destinations";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, it } from "vitest";
import type { Application } from "../../../infra/local/template/application.ts";
import { readApplication } from "../../../infra/local/template/read-application.ts";
import { assemblyOnDisk } from "./assembly-on-disk.ts";

function application(): Application {
  const folder = mkdtempSync(join(tmpdir(), "local-durable-"));
  writeFileSync(join(folder, "index.mjs"), "export const handler = async () => undefined;");
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), "local-assembly-")) });
  const stack = new Stack(app, "stack");
  const code = { runtime: Runtime.NODEJS_24_X, handler: "index.handler", code: Code.fromAsset(folder) };
  const deadLetterQueue = new Queue(stack, "DeadLetters");
  const durable = new Fn(stack, "Durable", {
    ...code,
    deadLetterQueue,
    durableConfig: { executionTimeout: Duration.hours(25), retentionPeriod: Duration.days(30) },
  });
  const alias = durable.addAlias("live");
  const onFailure = new SqsDestination(new Queue(stack, "Failures"));
  alias.configureAsyncInvoke({ onFailure, maxEventAge: Duration.hours(1) });
  const caller = new Fn(stack, "Caller", { ...code, environment: { DURABLE: alias.functionArn } });
  alias.grantInvoke(caller);
  new Rule(stack, "Ended", {
    eventPattern: {
      source: ["aws.lambda"],
      detailType: ["Durable Execution Status Change"],
      detail: { status: ["FAILED"] },
    },
    targets: [new LambdaFunction(caller), new SqsQueue(deadLetterQueue)],
  });
  return readApplication(app.synth().directory);
}

describe("a durable function", () => {
  const { functions, eventRules, problems } = application();
  const [durable, caller] = ["Durable", "Caller"].map((name) =>
    functions.find(({ shortName }) => shortName === name),
  );

  it("has its configuration, a version, an alias, and the queues of what failed", () => {
    expect(durable).toMatchObject({
      versions: ["1"],
      aliases: { live: "1" },
      asyncEventAgeMaxMs: 3_600_000,
      durable: {
        executionTimeoutSeconds: 90_000,
        retentionDays: 30,
        deadLetterArn: expect.stringMatching(/^arn:aws:sqs:.*:stack-DeadLetters/),
        onFailureArn: expect.stringMatching(/^arn:aws:sqs:.*:stack-Failures/),
      },
    });
    expect(caller?.durable).toBeUndefined();
    expect(caller).toMatchObject({ asyncRetriesMax: 2, asyncEventAgeMaxMs: 21_600_000 });
  });

  it("may checkpoint by the policy that the CDK attaches", () => {
    expect(JSON.stringify(durable?.role.policies)).toContain("lambda:CheckpointDurableExecution");
  });

  it("is named by its alias in what calls it, and that may invoke it so", () => {
    expect(caller?.environment.DURABLE).toBe(`${durable?.arn}:live`);
    expect(JSON.stringify(caller?.role.policies)).toContain(`${durable?.arn}:live`);
  });

  it("has its end told by a rule to functions and queues", () => {
    expect(eventRules).toMatchObject([
      {
        enabled: true,
        pattern: { source: ["aws.lambda"], detail: { status: ["FAILED"] } },
        targets: [{ functionAddress: caller?.address }, { queueArn: durable?.durable?.deadLetterArn }],
      },
    ]);
    expect(problems).toEqual([]);
  });

  it("is refused with two versions, since their code would be the same", () => {
    const version = { Type: "AWS::Lambda::Version", Properties: { FunctionName: { Ref: "Fn" } } };
    const Resources = {
      Role: { Type: "AWS::IAM::Role", Properties: {} },
      Fn: {
        Type: "AWS::Lambda::Function",
        Properties: {
          Code: { S3Key: "code.zip" },
          Handler: "index.handler",
          Runtime: "nodejs24.x",
          Role: { "Fn::GetAtt": ["Role", "Arn"] },
        },
      },
      First: version,
      Second: version,
    };
    const folder = assemblyOnDisk({
      twice: { template: { Resources }, assets: { "code.zip": "asset.code" } },
    });
    expect(() => readApplication(folder)).toThrow("twice/Fn publishes the same code twice");
  });
});
