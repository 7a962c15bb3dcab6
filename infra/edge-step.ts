import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The distribution sends its header before functions refuse what comes without it. */
export const edgeSteps = ["none", "send", "require"] as const;
export type EdgeStep = (typeof edgeSteps)[number];

/** The service stack has this output from `send` on. */
export const edgeSecretOutput = "EdgeSecretArn";

/** The outputs' names of a stack, or undefined where there is none. */
export type OutputNamesOf = (stackName: string) => Promise<readonly string[] | undefined>;

/** @throws {Error} one sentence, where functions would refuse requests before the distribution sends its header. */
export async function refuseEdgeJump(
  edge: EdgeStep,
  stackName: string,
  outputNamesOf: OutputNamesOf = describeOutputs,
): Promise<void> {
  if (edge !== "require") return;
  const deployed = await outputNamesOf(stackName);
  if (deployed === undefined || deployed.includes(edgeSecretOutput)) return;
  throw new Error(
    `the setting edge cannot go from none to require: deploy send first, or ${stackName} refuses requests until the distribution sends its header`,
  );
}

/** The command line knows profiles and single sign-on, which the CDK's own has used by now. */
async function describeOutputs(stackName: string): Promise<readonly string[] | undefined> {
  const query = ["--query", "Stacks[0].Outputs[].OutputKey", "--output", "text"];
  try {
    const call = ["cloudformation", "describe-stacks", "--stack-name", stackName, ...query];
    const { stdout } = await promisify(execFile)("aws", call);
    return stdout.trim().split(/\s+/);
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw new Error(`what ${stackName} sends is unknown, which edge: require needs`, { cause: error });
  }
}
