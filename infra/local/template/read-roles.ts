import type { PolicyDocument, RoleModel } from "./application.ts";
import { asList, asObject, type Json, optionalString } from "./json.ts";
import type { ResolvedResource } from "./stack-resolver.ts";

function allow(actions: readonly string[]): PolicyDocument {
  return { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: actions, Resource: "*" }] };
}

/** Source: https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaBasicExecutionRole.html */
const awsManaged: Readonly<Record<string, PolicyDocument>> = {
  AWSLambdaBasicDurableExecutionRolePolicy: allow([
    "logs:CreateLogGroup",
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    "lambda:CheckpointDurableExecution",
    "lambda:GetDurableExecutionState",
  ]),
  AWSLambdaBasicExecutionRole: allow(["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"]),
};

function mentions(list: Json | undefined, name: string): boolean {
  return asList(list).includes(name);
}

export function readRoles(
  resources: readonly ResolvedResource[],
  report: (problem: string) => void,
): ReadonlyMap<string, RoleModel> {
  const managed = new Map(
    resources
      .filter((resource) => resource.type === "AWS::IAM::ManagedPolicy")
      .map((resource) => [resource.ref, asObject(resource.properties.PolicyDocument)]),
  );
  const attached = resources.filter(
    ({ type }) => type === "AWS::IAM::Policy" || type === "AWS::IAM::ManagedPolicy",
  );

  const readManaged = (policyArn: Json, role: ResolvedResource): readonly PolicyDocument[] => {
    const text = optionalString(policyArn) ?? "";
    const document = managed.get(text) ?? awsManaged[text.slice(text.lastIndexOf("/") + 1)];
    if (document !== undefined) return [document];
    report(`the managed policy ${text} of ${role.address} is not known here: what it allows is refused`);
    return [];
  };

  const inUse = new Set(
    resources.filter(({ type }) => type === "AWS::Lambda::Function").map(({ properties }) => properties.Role),
  );
  return new Map(
    resources
      .filter((role) => role.type === "AWS::IAM::Role" && inUse.has(role.attribute("Arn") ?? role.ref))
      .map((role): [string, RoleModel] => {
        const arn = optionalString(role.attribute("Arn")) ?? role.ref;
        const policies = [
          ...asList(role.properties.Policies).map((policy) => asObject(asObject(policy).PolicyDocument)),
          ...asList(role.properties.ManagedPolicyArns).flatMap((policyArn) => readManaged(policyArn, role)),
          ...attached
            .filter((policy) => mentions(policy.properties.Roles, role.ref))
            .map((policy) => asObject(policy.properties.PolicyDocument)),
        ];
        return [arn, { name: role.ref, arn, policies }];
      }),
  );
}
