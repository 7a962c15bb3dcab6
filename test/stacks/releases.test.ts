import { describe, expect, it } from "vitest";
import {
  makeServiceApp,
  resourceOf,
  resourcesOf,
  sampleRoutes,
  type Template,
  templatesOf,
} from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp());

describe("a release", () => {
  const released = (template: Template) =>
    resourcesOf(template, "AWS::CodeDeploy::DeploymentGroup").map(({ Properties }) => Properties);

  it("gives a tenth for five minutes, and is taken back when the service fails requests", () => {
    const all = released(service);
    expect(all).toHaveLength(Object.keys(sampleRoutes).length);
    for (const { DeploymentConfigName, AlarmConfiguration, AutoRollbackConfiguration } of all) {
      expect(JSON.stringify(DeploymentConfigName)).toContain(
        "CodeDeployDefault.LambdaCanary10Percent5Minutes",
      );
      expect(AlarmConfiguration).toMatchObject({
        Enabled: true,
        Alarms: [{ Name: { Ref: expect.anything() } }],
      });
      expect(AutoRollbackConfiguration.Events).toContain("DEPLOYMENT_STOP_ON_ALARM");
    }
    expect(resourceOf(service, "AWS::CloudWatch::Alarm").Properties.Threshold).toBe(1);
  });

  const shifted = (template: Template) =>
    Object.entries(template.Resources).filter(
      ([, { Type, UpdatePolicy }]) => Type === "AWS::Lambda::Alias" && UpdatePolicy !== undefined,
    );

  it("shifts at most five aliases at once, each of the others after one of them", () => {
    const aliases = new Map(shifted(service));
    const orders = [...aliases.values()].map(({ DependsOn = [] }) =>
      DependsOn.filter((id) => aliases.has(id)),
    );
    const first = orders.filter((before) => before.length === 0);
    expect(first).toHaveLength(5);
    // Five chains: each alias comes after one, which no other comes after.
    const before = orders.flat();
    expect(before).toHaveLength(aliases.size - first.length);
    expect(new Set(before).size).toBe(before.length);
  });

  it("comes in at once, and under an alarm, when a repair has to", () => {
    const { service: repair } = templatesOf(makeServiceApp({ releaseAtOnce: true }));
    expect(shifted(repair)).toEqual([]);
    const aliases = resourcesOf(repair, "AWS::Lambda::Alias");
    expect(aliases.filter(({ DependsOn }) => DependsOn !== undefined)).toEqual([]);
    expect(released(repair)).toEqual(released(service));
  });
});
