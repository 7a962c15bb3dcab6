import { type CloudFormationClient, DescribeStacksCommand, type Stack } from "@aws-sdk/client-cloudformation";
import { type Finding, ok, stop } from "../finding.ts";

/** Undefined is a stack that is not there. */
export async function findStack(
  cloudFormation: CloudFormationClient,
  stackName: string,
): Promise<Stack | undefined> {
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
    return Stacks?.[0];
  } catch (error) {
    if (error instanceof Error && error.message.includes("does not exist")) return undefined;
    throw error;
  }
}

export function judgeStack(stackName: string, status: string | undefined): Finding {
  if (status === undefined) return ok(`${stackName} will be created`);
  if (status === "ROLLBACK_COMPLETE" || status === "ROLLBACK_FAILED" || status === "CREATE_FAILED") {
    const how = `aws cloudformation delete-stack --stack-name ${stackName}`;
    return stop(`${stackName} is ${status}, left by a first deployment that failed: ${how}`);
  }
  if (status.endsWith("_IN_PROGRESS")) return stop(`${stackName} is ${status}: wait until it has ended`);
  if (status.endsWith("_FAILED")) return stop(`${stackName} is ${status}: see infra/RUNBOOK.md`);
  return ok(`${stackName} will be updated`);
}
