import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { Code } from "aws-cdk-lib/aws-lambda";
import { App } from "aws-cdk-lib/core";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { bundleFunctions } from "../../../infra/bundle.ts";
import { newCredentials } from "../../../infra/local/aws/credentials.ts";
import { conclusionOf, tableOf } from "../../../infra/probe/conclusion.ts";
import { forms } from "../../../infra/probe/forms.ts";
import { ProbeStack, probeStackName } from "../../../infra/probe/probe-stack.ts";
import { tryForms } from "../../../infra/probe/try-forms.ts";
import { useAwsStandIn } from "../../support/aws-stand-in.ts";

const endpoint = useAwsStandIn();
const tableName = "probe";
const tableArn = `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`;

type Statement = Readonly<Record<string, unknown>>;
let statements: readonly Statement[];

beforeAll(async () => {
  const outdir = mkdtempSync(join(tmpdir(), "das-probe-"));
  const app = new App({ outdir, analyticsReporting: false });
  new ProbeStack(app, Code.fromInline("exports.handler = async () => [];"));
  const { Resources } = app.synth().getStackArtifact(probeStackName).template;
  rmSync(outdir, { recursive: true });
  const of = (type: string) =>
    Object.entries<{ Type: string; Properties: Record<string, unknown> }>(Resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties }]) => ({ id, ...Properties }));
  const [table] = of("AWS::DynamoDB::Table");
  await endpoint().createTable({ ...table, id: undefined, TableName: tableName }, tableName);
  const arn = JSON.stringify({ "Fn::GetAtt": [table?.id, "Arn"] });
  const resolved = JSON.stringify(of("AWS::IAM::Policy"))
    .replaceAll(/\{"Fn::GetAtt":\["ProbeLogs\w+","Arn"\]\}/g, '"arn:aws:logs:::probe"')
    .replaceAll(arn, `"${tableArn}"`)
    .replaceAll(/\{"Fn::Join":\["",\["([^"]+)","([^"]+)"\]\]\}/g, '"$1$2"');
  const policies: { PolicyDocument: { Statement: Statement[] } }[] = JSON.parse(resolved);
  statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
});

function credentialsOf(...policies: readonly (readonly Statement[])[]) {
  const credentials = newCredentials();
  const documents = policies.map((Statement) => ({ Statement }));
  endpoint().principals.register({ ...credentials, functionName: "probe", policies: documents });
  return credentials;
}

async function tryUnder(...policies: readonly (readonly Statement[])[]) {
  const { url, region } = endpoint();
  const client = new DynamoDBClient({ endpoint: url, region, credentials: credentialsOf(...policies) });
  onTestFinished(() => client.destroy());
  return await tryForms({ client, tableName, pause: async () => undefined });
}

describe("the probe", () => {
  it("finds every form allowed within its keys and refused beyond them, by its bundle under its own role", async () => {
    const outDir = mkdtempSync(join(tmpdir(), "das-probe-"));
    onTestFinished(() => rmSync(outDir, { recursive: true }));
    const [bundle] = await bundleFunctions({ outDir, entryPoints: { probe: "infra/probe/function.ts" } });
    const { url, region } = endpoint();
    const { accessKeyId, secretAccessKey, sessionToken = "" } = credentialsOf(statements);
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", url);
    vi.stubEnv("AWS_REGION", region);
    vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
    vi.stubEnv("AWS_SESSION_TOKEN", sessionToken);
    vi.stubEnv("TABLE_NAME", tableName);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { handler } = createRequire(import.meta.url)(bundle?.file ?? "");
    const results = await handler();
    expect(tableOf(results)).toEqual([
      expect.stringMatching(/^form +granted keys +other keys$/),
      ...forms.map(({ name }) => `${name.padEnd(36)}${"allowed".padEnd(16)}refused`),
    ]);
    expect(conclusionOf(results).isEnforceable).toBe(true);
  });

  it("finds transactions refused where they carry no keys, after it asked again", async () => {
    const inTransaction = { StringEquals: { "dynamodb:EnclosingOperation": "TransactWriteItems" } };
    const planted = { Effect: "Deny", Action: "dynamodb:*", Resource: tableArn, Condition: inTransaction };
    const results = await tryUnder(statements, [planted]);
    expect(results.filter(({ granted }) => granted === "refused").map(({ form }) => form)).toEqual([
      "transaction of one kind",
      "transaction of several kinds",
      "transaction with a condition check",
    ]);
    expect(conclusionOf(results).sentence).toContain('set leadingKeys to "off"');
  });

  it("finds nothing held to its keys where the condition is off", async () => {
    const without = statements.map(({ Condition, ...statement }) => statement);
    const results = await tryUnder(without);
    expect(results.filter(({ outside }) => outside === "refused").map(({ form }) => form)).toEqual([
      "Query of an index",
    ]);
    expect(conclusionOf(results).sentence).toContain("does not hold a role to its keys in GetItem, ");
  });

  it("waits for a policy that does not hold yet", async () => {
    const { url, region } = endpoint();
    const credentials = credentialsOf([]);
    const client = new DynamoDBClient({ endpoint: url, region, credentials });
    onTestFinished(() => client.destroy());
    let pauses = 0;
    const pause = async () => {
      pauses++;
      const policies = [{ Statement: statements }];
      endpoint().principals.register({ ...credentials, functionName: "probe", policies });
    };
    const results = await tryForms({ client, tableName, pause });
    expect(conclusionOf(results).isEnforceable).toBe(true);
    expect(pauses).toBe(1);
  });
});
