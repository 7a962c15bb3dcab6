import { describe, expect, it } from "vitest";
import { parseSettings } from "../../infra/settings.ts";

describe("parseSettings", () => {
  it("needs nothing, and then accepts the local stack's dashboard tokens", () => {
    expect(parseSettings({})).toEqual({
      deployment: "main",
      leadingKeys: "enforced",
      jwtIssuer: "https://identity.local/",
      jwtAudience: "desktop-automation-service",
      jwtJwksUrl: "https://identity.local/.well-known/jwks.json",
      jwtMaxAgeSeconds: 43_200,
      webSocketAccessLogs: false,
      apiGatewayLogRole: false,
      canaries: false,
      syntheticRun: false,
      detailedMetrics: false,
      releaseAtOnce: false,
      runDays: 0,
      edge: "none",
      edgeAddressRateLimit: 6_000,
      vanishedMachineGraceSeconds: 120,
      sessionIdleSeconds: 3600,
      stepDays: 30,
      apiKeyRateLimit: 600,
      organizationRateLimit: 0,
      organizationCallsMax: 200,
      organizationExecutionsMax: 50,
      platformTokensPerDay: 2_000_000,
      modelEndpoints: {},
      corsOrigins: [],
      attachmentDays: 90,
      auditDays: 400,
      requestLogDays: 7,
      keyConnectionsMax: 1000,
      pingSeconds: 300,
      monthlyBudgetUsd: 300,
      costAnomalyUsd: 50,
      throttleRate: 1000,
      throttleBurst: 2000,
      logRetentionDays: 30,
      logLevel: "info",
    });
  });

  it("reads the text of the command line as it reads cdk.json", () => {
    const origins = ["https://dashboard.example.com", "http://localhost:5173"];
    const text = {
      throttleRate: "50",
      canaries: "true",
      logRetentionDays: "7",
      corsOrigins: origins.join(","),
    };
    const given = { throttleRate: 50, canaries: true, logRetentionDays: 7, corsOrigins: origins };
    expect(parseSettings(text)).toEqual(parseSettings(given));
  });

  it("leaves the CDK's own context alone", () => {
    const context = {
      "aws:cdk:enable-path-metadata": true,
      "@aws-cdk/aws-iam:minimizePolicies": true,
      "cli-telemetry": false,
    };
    expect(parseSettings(context)).toEqual(parseSettings({}));
  });

  it.each([
    [{ trottleRate: 5 }, /^there is no setting trottleRate; the settings are deployment, /],
    [{ deployment: "Prod" }, /^the setting deployment must be 1 to 20 of a-z, 0-9 and -/],
    [{ deployment: "" }, /^the setting deployment must be 1 to 20/],
    [{ jwtIssuer: "http://issuer.example/" }, /^the setting jwtIssuer must be an https:\/\/ address$/],
    [{ jwtJwksUrl: "issuer" }, /^the setting jwtJwksUrl must be an https:\/\/ address$/],
    [
      { restoredTableStreamArn: "arn:aws:dynamodb:eu-west-1:111122223333:table/restored" },
      /^the setting restoredTableStreamArn must be the ARN of a table's stream$/,
    ],
    [{ kmsKeyArn: "alias/key" }, /^the setting kmsKeyArn must be the ARN of kms$/],
    [{ backupCopyVaultArn: "vault" }, /^the setting backupCopyVaultArn must be the ARN of a backup vault$/],
    ...[
      "*",
      "https://a.example/",
      "http://a.example",
      "a.example",
      "https://a.example,https://b.example/x",
    ].map((corsOrigins): [Record<string, unknown>, RegExp] => [
      { corsOrigins },
      /^the setting corsOrigins.* must be origins: https:/,
    ]),
    [
      { corsOrigins: Array.from({ length: 100 }, (_, at) => `https://dashboard-${at}.example.com`) },
      /^the setting corsOrigins must have at most 2000 characters together$/,
    ],
    [{ jwtAudience: "" }, /^the setting jwtAudience must not be empty$/],
    [{ throttleRate: 0 }, /^the setting throttleRate must be a whole number from 1 to 100000$/],
    [{ throttleBurst: "many" }, /^the setting throttleBurst must be a whole number from 1 to 100000$/],
    [{ lambdaConcurrency: 1_000.5 }, /^the setting lambdaConcurrency must be a whole number/],
    [{ lambdaConcurrency: 9 }, /^the setting lambdaConcurrency must be a whole number from 10 to/],
    [
      { vanishedMachineGraceSeconds: 0 },
      /^the setting vanishedMachineGraceSeconds must be a whole number from 1 to 86400$/,
    ],
    [
      { sessionIdleSeconds: "1h" },
      /^the setting sessionIdleSeconds must be a whole number from 1 to 2592000$/,
    ],
    [{ logRetentionDays: 2 }, /^the setting logRetentionDays must be one of 1, 3, 5, 7, /],
    [{ platformTokensPerDay: -1 }, /^the setting platformTokensPerDay must be a whole number from 0 to/],
    [{ consoleSignIn: "here" }, /^the setting consoleSignIn must be an object with clientId, authorizeUrl/],
    [
      { consoleSignIn: { clientId: "c", authorizeUrl: "https://a.example", tokenUrl: "http://a.example" } },
      /^the setting consoleSignIn.tokenUrl must be an https:\/\/ address, or one of this machine's$/,
    ],
    [{ modelEndpoints: "nowhere" }, /^the setting modelEndpoints must be an object of anthropic, openai/],
    [{ modelEndpoints: { nobody: "https://a.example" } }, /^the setting modelEndpoints must be an object of/],
    ...["http://gateway.example", "https://key@gateway.example", "https://a.example?key=1", "ftp://a"].map(
      (openai): [Record<string, unknown>, RegExp] => [
        { modelEndpoints: { openai } },
        /^the setting modelEndpoints.openai must be an https:\/\/ address, or one of this machine's$/,
      ],
    ),
    [{ pingSeconds: 59 }, /^the setting pingSeconds must be a whole number from 60 to 330$/],
    [{ pingSeconds: 331 }, /^the setting pingSeconds must be a whole number from 60 to 330$/],
    [{ leadingKeys: "on" }, /^the setting leadingKeys must be enforced or off$/],
    [{ logLevel: "trace" }, /^the setting logLevel must be debug, info, warn or error$/],
    [{ canaries: "yes" }, /^the setting canaries must be true or false$/],
    [{ alarmEmail: "nobody" }, /^the setting alarmEmail must be an e-mail address$/],
    [{ alarmTopicArn: "topic" }, /^the setting alarmTopicArn must be the ARN of sns$/],
    [{ httpHostName: "api.example.com" }, /^the setting httpCertificateArn is needed with httpHostName$/],
    [
      { httpCertificateArn: "arn:aws:acm:us-east-1:1:certificate/a" },
      /^the setting httpHostName is needed with httpCertificateArn$/,
    ],
    [
      { webSocketHostName: "ws.example.com" },
      /^the setting webSocketCertificateArn is needed with webSocketHostName$/,
    ],
    [
      { alarmEmail: "a@example.com", alarmTopicArn: "arn:aws:sns:us-east-1:1:alarms" },
      /^the setting alarmEmail cannot go with alarmTopicArn$/,
    ],
    [
      {
        httpHostName: "api.example.com",
        httpCertificateArn: "arn:aws:acm:us-east-1:1:certificate/a",
        webSocketHostName: "api.example.com",
        webSocketCertificateArn: "arn:aws:acm:us-east-1:1:certificate/a",
      },
      /^the setting webSocketHostName must differ from httpHostName$/,
    ],
  ])("refuses %j in one sentence that names the setting", (context, sentence) => {
    expect(() => parseSettings(context)).toThrow(sentence);
  });
});
