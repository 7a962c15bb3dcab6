import { describe, expect, it } from "vitest";
import { javaProblem } from "../../../infra/local/aws/dynamodb/java-problem.ts";

describe("javaProblem", () => {
  it.each([
    'openjdk version "17.0.15" 2025-04-15',
    'openjdk version "21" 2023-09-19',
    'java version "25.0.1" 2025-10-21 LTS',
    'Picked up _JAVA_OPTIONS: -Xmx1g\nopenjdk version "17.0.1" 2021-10-19',
  ])("finds nothing wrong with %s", (output) => {
    expect(javaProblem(output)).toBeUndefined();
  });

  it.each([
    ['java version "1.8.0_392"', "1.8.0_392"],
    ['openjdk version "11.0.2" 2019-01-15', "11.0.2"],
    ['openjdk version "16" 2021-03-16', "16"],
  ])("names the version of %s in one sentence", (output, version) => {
    expect(javaProblem(output)).toBe(
      `Java 17 or newer is needed to run DynamoDB Local, but the java command found is version ${version}.`,
    );
  });

  it("says so when there is no java command", () => {
    expect(javaProblem(undefined)).toBe(
      "Java 17 or newer is needed to run DynamoDB Local, but no java command was found.",
    );
  });
});
