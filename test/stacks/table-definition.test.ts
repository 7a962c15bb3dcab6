import { Template } from "aws-cdk-lib/assertions";
import { App } from "aws-cdk-lib/core";
import { describe, expect, it } from "vitest";
import { DataStack } from "../../infra/stacks/data.ts";
import { tableDefinition } from "../support/table.ts";

// The synthesis is outside the test, whose time limit it would use up.
const template = Template.fromStack(
  new DataStack(new App(), "Data", {
    settings: { deployment: "main", stepDays: 30, leadingKeys: "enforced", corsOrigins: [] },
  }),
);

describe("the table that storage is tested on", () => {
  it("has the keys and indexes of the template's", () => {
    const [table] = Object.values(template.findResources("AWS::DynamoDB::Table"));
    const declared = table?.Properties;
    expect(tableDefinition.KeySchema).toEqual(declared.KeySchema);
    expect(tableDefinition.BillingMode).toEqual(declared.BillingMode);
    expect(tableDefinition.GlobalSecondaryIndexes).toEqual(declared.GlobalSecondaryIndexes);
    const byName = (one: { AttributeName: string }, other: { AttributeName: string }) =>
      one.AttributeName < other.AttributeName ? -1 : 1;
    expect([...tableDefinition.AttributeDefinitions].sort(byName)).toEqual(
      [...declared.AttributeDefinitions].sort(byName),
    );
    expect(declared.TimeToLiveSpecification).toEqual({ AttributeName: "ttl", Enabled: true });
  });
});
