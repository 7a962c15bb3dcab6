import type { IAlarmAction } from "aws-cdk-lib/aws-cloudwatch";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { BlockPublicAccess, Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { Canary, Code, Runtime, RuntimeFamily, Schedule, Test } from "aws-cdk-lib/aws-synthetics";
import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { grantTo } from "../grant.ts";
import { ServiceAlarm } from "./alarm.ts";

export interface HealthCanaryProps {
  readonly deployment: string;
  readonly url: string;
  readonly action: IAlarmAction;
}

/**
 * The CDK's latest one is on Node.js 20, whose support has ended.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Synthetics_Library_Nodejs.html
 */
const runtime = new Runtime("syn-nodejs-5.4", RuntimeFamily.NODEJS);

const script = `
const https = require("node:https");
const ask = (path) => new Promise((resolve, reject) => {
  https.get(process.env.BASE_URL + path, { timeout: 10000 }, (answer) => {
    answer.resume();
    if (answer.statusCode === 200) resolve();
    else reject(new Error(path + " answered " + answer.statusCode));
  }).on("timeout", function () { this.destroy(new Error(path + " did not answer in 10 s")); }).on("error", reject);
});
exports.handler = async () => {
  await ask("/v1/health");
  await ask("/v1/health/db");
};
`;

export class HealthCanary extends Construct {
  constructor(scope: Construct, id: string, { deployment, url, action }: HealthCanaryProps) {
    super(scope, id);
    const artifacts = new Bucket(this, "Artifacts", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [{ id: "expire", expiration: Duration.days(30) }],
    });
    Validations.of(artifacts).acknowledge({
      id: "AwsSolutions-S1",
      reason: "It holds the canary's own logs for 30 days.",
    });
    const canary = new Canary(this, "Canary", {
      runtime,
      test: Test.custom({ code: Code.fromInline(script), handler: "index.handler" }),
      schedule: Schedule.rate(Duration.minutes(5)),
      timeout: Duration.seconds(60),
      environmentVariables: { BASE_URL: url },
      artifactsBucketLocation: {
        bucket: Bucket.fromBucketName(this, "ArtifactsByName", artifacts.bucketName),
      },
      role: this.#role(artifacts),
    });
    new ServiceAlarm(this, "canary-failing", {
      severity: "critical",
      deployment,
      heading: "Canary failing",
      metric: canary.metricSuccessPercent({ period: Duration.minutes(5) }),
      threshold: 100,
      alarmsBelow: true,
      evaluationPeriods: 2,
      alarmsWhenMissing: true,
      action,
    });
  }

  /** Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Synthetics_Canaries_CanaryPermissions.html */
  #role(artifacts: Bucket): Role {
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    const logs = Stack.of(this).formatArn({
      service: "logs",
      resource: "log-group:/aws/lambda/cwsyn-*",
    });
    grantTo(role, {
      actions: ["s3:PutObject"],
      resources: [artifacts.arnForObjects("*")],
      wildcardReason: "Each of the canary's runs writes objects of its own.",
    });
    grantTo(role, { actions: ["s3:GetBucketLocation"], resources: [artifacts.bucketArn] });
    grantTo(role, {
      actions: ["cloudwatch:PutMetricData"],
      resources: ["*"],
      conditions: { StringEquals: { "cloudwatch:namespace": "CloudWatchSynthetics" } },
      wildcardReason: "PutMetricData knows no resources; the condition holds it to the canaries' namespace.",
    });
    grantTo(role, {
      actions: ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [logs],
      wildcardReason:
        "Synthetics names the canary's function, and so its log group, after the canary's own id.",
    });
    return role;
  }
}
