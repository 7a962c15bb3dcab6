import { expect, it } from "vitest";
import { makeServiceApp, resourceOf, resourcesOf, sampleRoutes, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp({ syntheticRun: true }));
const fn = Object.keys(service.Resources).find((id) => id.startsWith("syntheticFunction")) ?? "";

it("runs every five minutes, and is not tried again", () => {
  const rules = resourcesOf(service, "AWS::Events::Rule").map(({ Properties }) => Properties);
  expect(rules).toContainEqual(
    expect.objectContaining({
      ScheduleExpression: "rate(5 minutes)",
      Targets: [
        expect.objectContaining({
          Arn: { "Fn::GetAtt": [fn, "Arn"] },
          RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 0 },
        }),
      ],
    }),
  );
});

it("is asked by CodeDeploy before a version gets traffic, and knows each version", () => {
  const groups = Object.keys(sampleRoutes);
  const updates = resourcesOf(service, "AWS::Lambda::Alias").flatMap(({ UpdatePolicy }) =>
    UpdatePolicy === undefined ? [] : [UpdatePolicy],
  );
  expect(updates).toHaveLength(groups.length);
  for (const update of updates) {
    expect(update).toMatchObject({ CodeDeployLambdaAliasUpdate: { BeforeAllowTrafficHook: { Ref: fn } } });
  }
  const { VERSIONS } = service.Resources[fn]?.Properties.Environment.Variables ?? {};
  for (const group of groups) expect(JSON.stringify(VERSIONS)).toContain(`\\"${group}\\":`);
});

it("has no part of the customers' data", () => {
  const policies = resourcesOf(service, "AWS::IAM::Policy").map(({ Properties }) => Properties);
  const own = policies.find(({ PolicyName }) => PolicyName.startsWith("synthetic"));
  const actions = own?.PolicyDocument.Statement.flatMap(({ Action }: { Action: unknown }) => Action);
  expect(actions.sort()).toEqual([
    "codedeploy:PutLifecycleEventHookExecutionStatus",
    "lambda:InvokeFunction",
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    "secretsmanager:GetSecretValue",
  ]);
});

it("stays below what a stack may have", () => {
  expect(Object.keys(service.Resources).length).toBeLessThan(400);
  expect(resourceOf(service, "AWS::CodeDeploy::Application").Properties.ComputePlatform).toBe("Lambda");
});
