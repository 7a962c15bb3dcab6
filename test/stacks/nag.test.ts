import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, it } from "vitest";
import { checkWithNag } from "../../infra/check-with-nag.ts";
import type { ServiceApp } from "../../infra/service-app.ts";
import { makeServiceApp, removeAssembly, templatesOf } from "./synthesize.ts";

/** Two whole syntheses with their validation, on a machine that does other things too. */
const timeoutMs = 60_000;

interface Report {
  readonly pluginReports: readonly { readonly violations: readonly { readonly ruleName: string }[] }[];
}

/** The rules that a synthesis failed on; none when it did not. */
function findingsOf(service: ServiceApp): readonly string[] {
  checkWithNag(service.app);
  try {
    templatesOf(service);
    return [];
  } catch {
    const report: Report = JSON.parse(
      readFileSync(join(service.app.outdir, "validation-report.json"), "utf8"),
    );
    removeAssembly(service.app);
    return report.pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
  }
}

const certificate = "arn:aws:acm:us-east-1:111122223333:certificate/a";
const everySetting = {
  httpHostName: "api.example.com",
  httpCertificateArn: certificate,
  webSocketHostName: "tunnel.example.com",
  webSocketCertificateArn: certificate,
  webSocketAccessLogs: true,
  apiGatewayLogRole: true,
  alarmEmail: "on-call@example.com",
  canaries: true,
  syntheticRun: true,
  kmsKeyArn: "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
  backupCopyVaultArn: "arn:aws:backup:eu-west-1:444455556666:backup-vault:das",
  lambdaConcurrency: 1000,
};

describe("cdk-nag at synthesis", { timeout: timeoutMs }, () => {
  it.each([
    ["no setting", {}],
    ["every setting", everySetting],
  ])("finds nothing that is not explained, with %s", (_, settings) => {
    expect(findingsOf(makeServiceApp(settings))).toEqual([]);
  });

  it("fails the synthesis on a queue without TLS", () => {
    const service = makeServiceApp();
    new Queue(service.data, "Planted");
    expect(findingsOf(service)).toContain("AwsSolutions-SQS4");
  });

  it("fails the synthesis on a grant that is wider than its reason", () => {
    const service = makeServiceApp();
    service.service.functions
      .get("computer")
      ?.lambda.addToRolePolicy(
        new PolicyStatement({ actions: ["s3:GetObject"], resources: ["arn:aws:s3:::*"] }),
      );
    expect(findingsOf(service)).toContain("AwsSolutions-IAM5[Resource::arn:aws:s3:::*]");
  });
});
