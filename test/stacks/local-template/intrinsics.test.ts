import { describe, expect, it } from "vitest";
import type { Json } from "../../../infra/local/template/json.ts";
import { readApplication } from "../../../infra/local/template/read-application.ts";
import { assemblyOnDisk } from "./assembly-on-disk.ts";

const surroundings = {
  Parameters: {
    Size: { Type: "Number", Default: 3 },
    Bootstrap: { Type: "AWS::SSM::Parameter::Value<String>", Default: "/cdk-bootstrap/x/version" },
  },
  Conditions: {
    IsThree: { "Fn::Equals": [{ Ref: "Size" }, 3] },
    IsNot: { "Fn::Not": [{ Condition: "IsThree" }] },
    Both: { "Fn::And": [{ Condition: "IsThree" }, { Condition: "IsNot" }] },
    Either: { "Fn::Or": [{ Condition: "IsThree" }, { Condition: "IsNot" }] },
  },
};

function resolved(value: Json): Json | undefined {
  const folder = assemblyOnDisk({
    other: { template: { Resources: {}, Outputs: { Plain: { Value: "from other" } } } },
    stack: {
      template: {
        ...surroundings,
        Resources: {
          Probe: { Type: "AWS::SQS::Queue", Properties: { Value2: value } },
          Queue: { Type: "AWS::SQS::Queue", Properties: { QueueName: "q" } },
        },
      },
    },
  });
  return readApplication(folder).queues.find(({ address }) => address === "stack/Probe")?.properties.Value2;
}

const cases: readonly (readonly [string, Json, Json])[] = [
  ["a parameter's default", { Ref: "Size" }, 3],
  ["an element of a list", { "Fn::Select": ["1", ["a", "b"]] }, "b"],
  [
    "pseudo parameters",
    { "Fn::Sub": `\${AWS::Partition} \${AWS::AccountId} \${AWS::StackName}` },
    "aws 000000000000 stack",
  ],
  ["an attribute", { "Fn::GetAtt": ["Queue", "Arn"] }, "arn:aws:sqs:us-east-1:000000000000:q"],
  ["an attribute in one string", { "Fn::GetAtt": "Queue.QueueName" }, "q"],
  [
    "a join of a split",
    { "Fn::Join": ["+", { "Fn::Split": [":", { "Fn::GetAtt": ["Queue", "Arn"] }] }] },
    "arn+aws+sqs+us-east-1+000000000000+q",
  ],
  [
    "a substitution with variables of its own",
    { "Fn::Sub": [`\${own}/\${Queue.QueueName}/\${!literal}`, { own: "x" }] },
    `x/q/\${literal}`,
  ],
  ["a condition that holds", { "Fn::If": ["IsThree", "yes", "no"] }, "yes"],
  ["a negated one", { "Fn::If": ["IsNot", "yes", "no"] }, "no"],
  ["and", { "Fn::If": ["Both", "yes", "no"] }, "no"],
  ["or", { "Fn::If": ["Either", "yes", "no"] }, "yes"],
  [
    "no value, which leaves the property out",
    { kept: 1, dropped: { "Fn::If": ["IsNot", 2, { Ref: "AWS::NoValue" }] } },
    { kept: 1 },
  ],
  [
    "an output of another stack",
    { "Fn::GetStackOutput": { StackName: "other", OutputName: "Plain" } },
    "from other",
  ],
];

describe("intrinsic functions", () => {
  it.each(cases)("resolve %s", (_what, given, expected) => {
    expect(resolved(given)).toEqual(expected);
  });

  it("are an error when they are not known, or point at nothing", () => {
    expect(() => resolved({ "Fn::Cidr": ["10.0.0.0/16", 1, 8] })).toThrow("Fn::Cidr is not known");
    expect(() => resolved({ Ref: "Nobody" })).toThrow("stack has no Nobody");
    expect(() => resolved({ "Fn::ImportValue": "nothing" })).toThrow("exports nothing");
    expect(() => resolved("{{resolve:ssm:/x}}")).toThrow("dynamic references");
  });
});
