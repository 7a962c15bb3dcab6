import { LambdaClient } from "@aws-sdk/client-lambda";
import { type HttpRequest, HttpResponse } from "@smithy/core/protocols";
import { describe, expect, it } from "vitest";
import { conclusionOf, tableOf } from "../../../infra/probe/conclusion.ts";
import { forms } from "../../../infra/probe/forms.ts";
import { type ProbeInput, runProbe } from "../../../infra/probe/run-probe.ts";

const asExpected = forms.map(({ name: form }) => ({ form, granted: "allowed", outside: "refused" }));

function account(given: { deploy?: number; destroy?: number; response?: HttpResponse } = {}) {
  const calls: string[][] = [];
  const { response = new HttpResponse({ statusCode: 200, body: bytes(asExpected) }) } = given;
  const lambda = new LambdaClient({
    region: "eu-west-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    requestHandler: {
      handle: async ({ path }: HttpRequest) => {
        calls.push(["invoke", path]);
        return { response };
      },
    },
  });
  const input: ProbeInput = {
    cdk: async (args) => {
      calls.push([...args]);
      return (args[0] === "deploy" ? given.deploy : given.destroy) ?? 0;
    },
    readJson: (file) => (file === "outputs.json" ? { "das-probe": { FunctionName: "probe-1" } } : undefined),
    lambda,
    outputsFile: "outputs.json",
  };
  return { calls, input };
}

function bytes(value: unknown) {
  return new TextEncoder().encode(JSON.stringify(value));
}

describe("runProbe", () => {
  const app = ["--app", "npx node infra/probe/app.ts", "--output", ".build/probe/cdk.out"];

  it("deploys its stack, calls the function that the outputs name, and removes the stack", async () => {
    const { calls, input } = account();
    expect(await runProbe(input)).toEqual(asExpected);
    expect(calls).toEqual([
      ["deploy", "das-probe", ...app, "--require-approval", "never", "--outputs-file", "outputs.json"],
      ["invoke", "/2015-03-31/functions/probe-1/invocations"],
      ["destroy", "das-probe", ...app, "--force"],
    ]);
  });

  it("removes what a failed deployment has left, and says that it failed", async () => {
    const { calls, input } = account({ deploy: 1 });
    await expect(runProbe(input)).rejects.toThrow("the stack das-probe could not be deployed");
    expect(calls.map(([what]) => what)).toEqual(["deploy", "destroy"]);
  });

  it("removes the stack after a function that failed", async () => {
    const response = new HttpResponse({
      statusCode: 200,
      headers: { "x-amz-function-error": "Unhandled" },
      body: bytes({ errorMessage: "planted" }),
    });
    const { calls, input } = account({ response });
    await expect(runProbe(input)).rejects.toThrow(/^the probe's function failed: .*planted/);
    expect(calls.map(([what]) => what)).toEqual(["deploy", "invoke", "destroy"]);
  });

  it("says how a stack is removed that it could not remove", async () => {
    const { input } = account({ deploy: 1, destroy: 1 });
    await expect(runProbe(input)).rejects.toThrow(
      "could not be deployed; the stack was not removed: aws cloudformation delete-stack --stack-name das-probe",
    );
  });
});

describe("conclusionOf", () => {
  const results = (form: string, change: { granted?: string; outside?: string }) =>
    asExpected.map((each) => (each.form === form ? { ...each, ...change } : each));

  it("leaves the condition on where each form is judged by its keys", () => {
    expect(conclusionOf(asExpected)).toEqual({
      sentence: expect.stringMatching(/^leave leadingKeys "enforced": AWS judges each form/),
      isEnforceable: true,
    });
  });

  it.each([
    [
      "transaction of several kinds",
      { granted: "refused" },
      /\(transaction of several kinds\): set leadingKeys to "off"/,
      false,
    ],
    ["Query of an index", { granted: "refused" }, /something else in this account refuses/, false],
    [
      "BatchGetItem of several kinds",
      { outside: "allowed" },
      /does not hold a role to its keys in BatchGetItem/,
      true,
    ],
    [
      "PutItem",
      { granted: "ResourceNotFoundException" },
      /^nothing can be concluded, try again: PutItem failed/,
      false,
    ],
  ])("of %s with %j says what to do", (form, change, sentence, isEnforceable) => {
    expect(conclusionOf(results(form, change))).toEqual({
      sentence: expect.stringMatching(sentence),
      isEnforceable,
    });
  });

  it("concludes nothing from no results", () => {
    expect(conclusionOf([]).isEnforceable).toBe(false);
  });
});

it("shows one line for each of the ten forms", () => {
  const lines = tableOf(asExpected);
  expect(lines).toHaveLength(11);
  expect(lines[1]).toBe(`${"GetItem".padEnd(36)}${"allowed".padEnd(16)}refused`);
});
