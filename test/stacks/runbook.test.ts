import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeServiceApp, templatesOf } from "./synthesize.ts";

const certificateArn = "arn:aws:acm:us-east-1:111122223333:certificate/one";
const templates = templatesOf(
  makeServiceApp({
    httpHostName: "api.example.com",
    httpCertificateArn: certificateArn,
    webSocketHostName: "tunnel.example.com",
    webSocketCertificateArn: certificateArn,
    edge: "require",
    backupCopyVaultArn: "arn:aws:backup:eu-west-1:444455556666:backup-vault:das",
    edgeCertificateArn: certificateArn,
  }),
);
const outputs = (["data", "service", "operations"] as const).flatMap((stack) =>
  Object.keys(templates[stack].Outputs ?? {}).map((name) => `${stack} ${name}`),
);

describe.each(["infra/RUNBOOK.md", "infra/DEPLOY.md", "infra/REGION-LOSS.md"])("%s", (document) => {
  it("asks for outputs that the stacks have", () => {
    const text = readFileSync(document, "utf8");
    const named = [...text.matchAll(/\$\(output ([\w ]+)\)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !outputs.includes(name ?? ""))).toEqual([]);
  });
});

it("names every output that the stacks have for a person somewhere", () => {
  const texts = ["infra/RUNBOOK.md", "infra/DEPLOY.md"]
    .map((document) => readFileSync(document, "utf8"))
    .join("\n");
  const forPeople = outputs
    .map((name) => name.split(" ")[1] ?? "")
    .filter((name) => !/^(ExportsOutput|LookedUp)/.test(name));
  expect(forPeople.filter((name) => !texts.includes(name))).toEqual([]);
});
