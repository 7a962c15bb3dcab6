import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod";
import { functionNameOutput, probeStackName } from "./probe-stack.ts";
import type { FormResult } from "./try-forms.ts";

const FormResults = z.array(z.strictObject({ form: z.string(), granted: z.string(), outside: z.string() }));
const Outputs = z.object({ [probeStackName]: z.object({ [functionNameOutput]: z.string() }) });

export interface ProbeInput {
  /** @returns the exit code of the CDK's command line. */
  readonly cdk: (args: readonly string[]) => Promise<number>;
  readonly readJson: (file: string) => unknown;
  readonly lambda: Pick<LambdaClient, "send">;
  readonly outputsFile: string;
}

const app = ["--app", "npx node infra/probe/app.ts", "--output", ".build/probe/cdk.out"];

/** The stack is removed whatever happens. @throws {Error} one sentence. */
export async function runProbe(input: ProbeInput): Promise<readonly FormResult[]> {
  const [tried] = await Promise.allSettled([deployAndTry(input)]);
  const isRemoved = (await input.cdk(["destroy", probeStackName, ...app, "--force"])) === 0;
  if (tried.status === "fulfilled" && isRemoved) return tried.value;
  const problems = [
    ...(tried.status === "rejected" ? [String(tried.reason?.message ?? tried.reason)] : []),
    ...(isRemoved
      ? []
      : [`the stack was not removed: aws cloudformation delete-stack --stack-name ${probeStackName}`]),
  ];
  throw new Error(problems.join("; "));
}

async function deployAndTry({
  cdk,
  readJson,
  lambda,
  outputsFile,
}: ProbeInput): Promise<readonly FormResult[]> {
  const deploy = [
    "deploy",
    probeStackName,
    ...app,
    "--require-approval",
    "never",
    "--outputs-file",
    outputsFile,
  ];
  if ((await cdk(deploy)) !== 0) throw new Error(`the stack ${probeStackName} could not be deployed`);
  const FunctionName = Outputs.parse(readJson(outputsFile))[probeStackName][functionNameOutput];
  const { FunctionError, Payload } = await lambda.send(new InvokeCommand({ FunctionName }));
  const text = new TextDecoder().decode(Payload);
  if (FunctionError !== undefined) throw new Error(`the probe's function failed: ${text}`);
  return FormResults.parse(JSON.parse(text));
}
