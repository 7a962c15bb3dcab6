import { describe, expect, it } from "vitest";
import { makeServiceApp, type Template, templatesOf } from "./synthesize.ts";

const settings = {
  canaries: true,
  webSocketAccessLogs: true,
  backupCopyVaultArn: "arn:aws:backup:eu-west-1:444455556666:backup-vault:das",
};

/** These names are unique only within another resource, or name what is not the stack's. */
const notPhysical = new Set([
  "AWS::ApiGatewayV2::Stage StageName",
  "AWS::CloudWatch::Alarm MetricName",
  "AWS::CodeDeploy::DeploymentGroup DeploymentConfigName",
  "AWS::IAM::Policy PolicyName",
  "AWS::Lambda::Alias Name",
]);

function namesOf(template: Template): readonly string[] {
  const named = Object.values(template.Resources).flatMap(({ Type, Properties = {} }) =>
    Object.entries<unknown>({ ...Properties, ...Properties.BackupPlan })
      .filter(([property]) => property.endsWith("Name") && !notPhysical.has(`${Type} ${property}`))
      .flatMap(([property, name]) => (typeof name === "string" ? [`${Type} ${property} ${name}`] : [])),
  );
  const exported = Object.values(template.Outputs ?? {}).flatMap(({ Export }) =>
    Export === undefined ? [] : [JSON.stringify(Export)],
  );
  return [...named, ...exported];
}

const namesOfDeployment = (deployment: string) =>
  Object.values(templatesOf(makeServiceApp({ ...settings, deployment }))).flatMap(namesOf);

describe("two deployments in one account and Region", () => {
  const [main, staging] = [namesOfDeployment("main"), namesOfDeployment("staging")];

  it("have no physical name in common", () => {
    expect(main.length).toBeGreaterThan(15);
    expect(main.filter((name) => staging.includes(name))).toEqual([]);
  });
});
