import { describe, expect, it } from "vitest";
import { runHere, withoutEffectHere } from "../../infra/local/template/resource-types.ts";
import { routeGroups } from "../../shared/contract/operations/all-operations.ts";
import { makeServiceApp, removeAssembly } from "./synthesize.ts";

const certificateArn = "arn:aws:acm:us-east-1:111122223333:certificate/a";
const made = makeServiceApp(
  {
    deployment: "blue",
    httpHostName: "api.example.com",
    httpCertificateArn: certificateArn,
    webSocketHostName: "tunnel.example.com",
    webSocketCertificateArn: certificateArn,
    edge: "require",
    edgeCertificateArn: certificateArn,
    hostedZoneId: "Z0123456789",
    webSocketAccessLogs: true,
    apiGatewayLogRole: true,
  },
  routeGroups,
);
const { stacks } = made.app.synth();
const templates = stacks.map(({ stackName, template }) => ({ stackName, template }));
removeAssembly(made.app);

describe("the stacks", () => {
  it("are tagged for the bill, so that CloudFormation tags all that they have", () => {
    const names = ["data", "edge", "service", "operations"].map((name) => `das-blue-${name}`);
    expect(Object.fromEntries(stacks.map(({ stackName, tags }) => [stackName, tags]))).toEqual(
      Object.fromEntries(
        names.map((name) => [name, { service: "desktop-automation-service", deployment: "blue" }]),
      ),
    );
  });

  it("are not deleted by mistake where the data are", () => {
    const kept = stacks.filter(({ terminationProtection }) => terminationProtection);
    expect(kept.map(({ stackName }) => stackName)).toEqual(["das-blue-data"]);
  });

  it("stay far below 500 resources and a megabyte, with every route and every setting", () => {
    for (const { stackName, template } of templates) {
      expect(Object.keys(template.Resources).length, stackName).toBeLessThan(465);
      expect(JSON.stringify(template, null, 1).length, stackName).toBeLessThan(450_000);
    }
  });

  it("have no type of which the local stack would warn at each start", () => {
    const types = templates.flatMap(({ template }) =>
      Object.values(template.Resources as Readonly<Record<string, { readonly Type: string }>>).map(
        ({ Type }) => Type,
      ),
    );
    const unknown = types.filter((type) => !runHere.has(type) && !withoutEffectHere.has(type));
    expect([...new Set(unknown)]).toEqual([]);
  });
});
