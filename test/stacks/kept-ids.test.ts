import { describe, expect, it } from "vitest";
import { keptIds } from "./kept-ids.ts";
import { makeServiceApp, templatesOf } from "./synthesize.ts";

const certificate = "arn:aws:acm:us-east-1:111122223333:certificate/a";
const templates = templatesOf(
  makeServiceApp({
    httpHostName: "api.example.com",
    httpCertificateArn: certificate,
    webSocketHostName: "tunnel.example.com",
    webSocketCertificateArn: certificate,
    edge: "require",
    edgeCertificateArn: certificate,
    hostedZoneId: "Z0123456789",
    webSocketAccessLogs: true,
    apiGatewayLogRole: true,
    canaries: true,
    backupCopyVaultArn: "arn:aws:backup:eu-west-1:444455556666:backup-vault:das",
  }),
);

describe("a logical id", () => {
  it.each(keptIds)("of $type in $stack does not change: else $loss", ({ stack, type, loss, ids }) => {
    const present = Object.entries(templates[stack].Resources).flatMap(([id, { Type }]) =>
      Type === type ? [id] : [],
    );
    const problem = `if CloudFormation replaces one of these, ${loss} (test/stacks/kept-ids.ts)`;
    expect([...present].sort(), problem).toEqual([...ids].sort());
  });
});
