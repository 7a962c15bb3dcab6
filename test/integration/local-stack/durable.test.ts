import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { startStack } from "../../../infra/local/stack.ts";
import { bundleHandler } from "../local-lambda/durable-harness.ts";
import { sampleAssembly } from "./sample-assembly.ts";

const durableSource = `
  import { withDurableExecution } from "@aws/durable-execution-sdk-js";
  export const handler = withDurableExecution(async (event, context) => {
    await context.step("first", async () => 1);
    await context.wait({ seconds: 600 });
    return event;
  });
`;

const starterSource = `
  import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
  const client = new LambdaClient({});
  export const handler = async (event) => {
    const { DurableExecutionArn } = await client.send(new InvokeCommand({
      FunctionName: process.env.DURABLE,
      InvocationType: "Event",
      DurableExecutionName: event.name,
      Payload: JSON.stringify(event),
    }));
    return DurableExecutionArn;
  };
`;

const arnOf = (logicalId: string): object => ({ "Fn::GetAtt": [logicalId, "Arn"] });

function functionOf(name: string, properties: object): object {
  const code = {
    Code: { S3Key: "code.zip" },
    Handler: `${name}.handler`,
    Runtime: "nodejs24.x",
    Timeout: 10,
  };
  return { Type: "AWS::Lambda::Function", Properties: { ...code, ...properties } };
}

function roleOf(Action: readonly string[], Resource: unknown): object {
  const PolicyDocument = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource }] };
  return { Type: "AWS::IAM::Role", Properties: { Policies: [{ PolicyDocument }] } };
}

async function assembly(): Promise<string> {
  const folder = sampleAssembly();
  for (const [name, source] of Object.entries({ durable: durableSource, starter: starterSource }))
    copyFileSync(join(await bundleHandler(source), "index.cjs"), join(folder, "asset.code", `${name}.cjs`));
  const file = join(folder, "sample.template.json");
  const template = JSON.parse(readFileSync(file, "utf8")) as { Resources: Record<string, object> };
  Object.assign(template.Resources, {
    DurableRole: roleOf(["lambda:CheckpointDurableExecution", "lambda:GetDurableExecutionState"], "*"),
    Durable: functionOf("durable", {
      Role: arnOf("DurableRole"),
      DurableConfig: { ExecutionTimeout: 31_622_400 },
    }),
    Version: { Type: "AWS::Lambda::Version", Properties: { FunctionName: { Ref: "Durable" } } },
    Live: {
      Type: "AWS::Lambda::Alias",
      Properties: {
        FunctionName: { Ref: "Durable" },
        FunctionVersion: { "Fn::GetAtt": ["Version", "Version"] },
        Name: "live",
      },
    },
    StarterRole: roleOf(["lambda:InvokeFunction"], { Ref: "Live" }),
    Starter: functionOf("starter", {
      Role: arnOf("StarterRole"),
      Environment: { Variables: { DURABLE: { Ref: "Live" } } },
    }),
  });
  writeFileSync(file, JSON.stringify(template));
  return folder;
}

it("runs a durable function that another function starts, and lets a test steer it", async () => {
  const stack = await startStack({
    port: 0,
    desktop: false,
    timers: false,
    tell: () => {},
    assembly: await assembly(),
  });
  const control = async (path: string, body?: object, method = "POST"): Promise<Response> =>
    await fetch(`${stack.controlUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${stack.controlToken}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const status = async (count: number): Promise<string> => {
    for (;;) {
      const { items } = (await (await control("/durable", undefined, "GET")).json()) as {
        items: { status: string; operations: number }[];
      };
      if ((items[0]?.operations ?? 0) >= count) return items[0]?.status ?? "";
      await pause(10);
    }
  };
  try {
    await control("/durable/hold");
    const started = await control("/functions/Starter/invoke", { name: "assignment-1" });
    expect(await started.json()).toMatchObject({
      ok: true,
      payload: expect.stringMatching(/:1\/durable-execution\/assignment-1\//),
    });
    expect(await status(1)).toBe("RUNNING");
    await control("/durable/release");
    expect(await status(3)).toBe("RUNNING");
    while ((await status(3)) === "RUNNING") {
      await control("/durable/skip", { seconds: 600 });
      await pause(50);
    }
    expect(await status(3)).toBe("SUCCEEDED");
  } finally {
    await stack.stop();
  }
});
