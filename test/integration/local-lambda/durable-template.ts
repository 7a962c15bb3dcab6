import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Application } from "../../../infra/local/template/application.ts";
import { readApplication } from "../../../infra/local/template/read-application.ts";
import { assemblyOnDisk } from "../../stacks/local-template/assembly-on-disk.ts";

const arnOf = (logicalId: string): object => ({ "Fn::GetAtt": [logicalId, "Arn"] });

export interface DurableTemplateInput {
  /** Folders with an `index.cjs`: of the durable function, and of the one that is told of its executions. */
  readonly durable: string;
  readonly watcher: string;
  /** Seconds. @default 600 */
  readonly executionTimeout?: number;
  readonly memoryMb?: number;
  /** @default true */
  readonly mayCheckpoint?: boolean;
}

/**
 * A durable function with a version, the alias `live`, a dead-letter queue and a destination, and a rule that gives a
 * function and a queue the end of its executions: what the CDK synthesizes.
 */
export function durableApplication(input: DurableTemplateInput): Application {
  const code = { Handler: "index.handler", Runtime: "nodejs24.x" };
  const managed = (name: string): object => ({
    Type: "AWS::IAM::Role",
    Properties: {
      ManagedPolicyArns: [
        { "Fn::Join": ["", ["arn:", { Ref: "AWS::Partition" }, `:iam::aws:policy/service-role/${name}`]] },
      ],
    },
  });
  const Resources = {
    Role: managed(
      input.mayCheckpoint === false
        ? "AWSLambdaBasicExecutionRole"
        : "AWSLambdaBasicDurableExecutionRolePolicy",
    ),
    Durable: {
      Type: "AWS::Lambda::Function",
      Properties: {
        ...code,
        Code: { S3Key: "durable.zip" },
        Role: arnOf("Role"),
        MemorySize: input.memoryMb ?? 256,
        Timeout: 10,
        DurableConfig: { ExecutionTimeout: input.executionTimeout ?? 600, RetentionPeriodInDays: 1 },
        DeadLetterConfig: { TargetArn: arnOf("DeadLetters") },
      },
    },
    DurableVersion: { Type: "AWS::Lambda::Version", Properties: { FunctionName: { Ref: "Durable" } } },
    DurableAlias: {
      Type: "AWS::Lambda::Alias",
      Properties: {
        FunctionName: { Ref: "Durable" },
        FunctionVersion: { "Fn::GetAtt": ["DurableVersion", "Version"] },
        Name: "live",
      },
    },
    DurableInvokeConfig: {
      Type: "AWS::Lambda::EventInvokeConfig",
      Properties: {
        FunctionName: { Ref: "Durable" },
        Qualifier: { "Fn::Select": [7, { "Fn::Split": [":", { Ref: "DurableAlias" }] }] },
        DestinationConfig: { OnFailure: { Destination: arnOf("Failures") } },
        MaximumRetryAttempts: 0,
      },
    },
    Watcher: {
      Type: "AWS::Lambda::Function",
      Properties: { ...code, Code: { S3Key: "watcher.zip" }, Role: arnOf("WatcherRole") },
    },
    WatcherRole: managed("AWSLambdaBasicExecutionRole"),
    WatcherPermission: {
      Type: "AWS::Lambda::Permission",
      Properties: {
        Action: "lambda:InvokeFunction",
        FunctionName: arnOf("Watcher"),
        Principal: "events.amazonaws.com",
      },
    },
    Ended: {
      Type: "AWS::Events::Rule",
      Properties: {
        EventPattern: {
          source: ["aws.lambda"],
          "detail-type": ["Durable Execution Status Change"],
          detail: {
            status: ["FAILED", "TIMED_OUT", "STOPPED"],
            functionArn: [{ prefix: { "Fn::Join": ["", [arnOf("Durable"), ":"]] } }],
          },
        },
        Targets: [
          { Id: "watcher", Arn: arnOf("Watcher") },
          { Id: "queue", Arn: arnOf("Events") },
        ],
      },
    },
    DeadLetters: { Type: "AWS::SQS::Queue", Properties: { QueueName: "dead-letters" } },
    Failures: { Type: "AWS::SQS::Queue", Properties: { QueueName: "failures" } },
    Events: { Type: "AWS::SQS::Queue", Properties: { QueueName: "events" } },
  };
  const folder = assemblyOnDisk({
    stack: {
      template: { Resources },
      assets: { "durable.zip": "asset.durable", "watcher.zip": "asset.watcher" },
    },
  });
  for (const name of ["durable", "watcher"] as const)
    copyFileSync(join(input[name], "index.cjs"), join(folder, `asset.${name}`, "index.cjs"));
  return readApplication(folder);
}
