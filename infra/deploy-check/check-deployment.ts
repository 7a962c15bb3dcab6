import { GetCallerIdentityCommand } from "@aws-sdk/client-sts";
import { type EdgeStep, refuseEdgeJump } from "../edge-step.ts";
import { openSession } from "../operator/aws-session.ts";
import { type Account, type AccountConfig, openAccount } from "./account.ts";
import { checkBootstrap } from "./checks/bootstrap.ts";
import { checkConcurrency } from "./checks/concurrency.ts";
import { checkKey } from "./checks/key.ts";
import { checkLogRole } from "./checks/log-role.ts";
import { checkNames } from "./checks/names.ts";
import { checkQuotas } from "./checks/quotas.ts";
import { findStack, judgeStack } from "./checks/stacks.ts";
import { checkTypes } from "./checks/types.ts";
import { type Finding, messageOf, ok, orUnknown, stop } from "./finding.ts";
import type { Wanted, WantedStack } from "./wanted.ts";

/** Reads the account, and changes nothing. @throws {Error} one sentence, without a Region or valid credentials. */
export async function checkDeployment(
  { settings, stacks, serviceStackName }: Wanted,
  config: AccountConfig = {},
): Promise<readonly Finding[]> {
  const account = openAccount(config);
  const region = await openSession(account.sts);
  const { accountId, arn } = await identityOf(account);
  const accountAt = (at: string) => (at === region ? account : openAccount({ ...config, region: at }));
  const there = await Promise.all(
    stacks.map((stack) => checkStack(accountAt(stack.region ?? region), stack)),
  );
  const places = new Map(stacks.map((stack) => [stack.region ?? region, stack]));
  const parts = [
    ...[...places].map(([at, { bootstrap }]) =>
      orUnknown("the bootstrap's version", () =>
        checkBootstrap(accountAt(at), bootstrap, `${accountId}/${at}`),
      ),
    ),
    orUnknown("the concurrency of functions", () =>
      checkConcurrency(account, {
        lambdaConcurrency: settings.lambdaConcurrency,
        reserving: sum(there.map(({ reserving }) => reserving)),
      }),
    ),
    orUnknown("a quota", () => checkQuotas(account, settings)),
    orUnknown("API Gateway's log role", () => checkLogRole(account, settings)),
    orUnknown("the key of kmsKeyArn", () => checkKey(account, settings.kmsKeyArn, region)),
    checkEdge(account, settings.edge, serviceStackName),
  ];
  return [
    ok(`account ${accountId}, Region ${region}, as ${arn}`),
    ...(await Promise.all(parts)).flat(),
    ...there.flatMap(({ findings }) => findings),
  ];
}

async function identityOf({ sts }: Account): Promise<{ readonly accountId: string; readonly arn: string }> {
  try {
    const { Account = "", Arn = "" } = await sts.send(new GetCallerIdentityCommand({}));
    return { accountId: Account, arn: Arn };
  } catch (error) {
    throw new Error(`AWS does not take these credentials, or is not reached: ${messageOf(error)}`);
  }
}

async function checkStack(
  account: Account,
  stack: WantedStack,
): Promise<{ readonly findings: readonly Finding[]; readonly reserving: number }> {
  let reserving = 0;
  const findings = await orUnknown(`the stack ${stack.name}`, async () => {
    const there = await findStack(account.cloudFormation, stack.name);
    const judged = [judgeStack(stack.name, there?.StackStatus), ...(await checkTypes(account, stack))];
    if (there !== undefined) return judged;
    const reservations = stack.resources.map(({ properties }) => properties.ReservedConcurrentExecutions);
    reserving = sum(reservations.map((each) => Number(each ?? 0)));
    return [...judged, ...(await checkNames(account, stack))];
  });
  return { findings, reserving };
}

async function checkEdge(
  { cloudFormation }: Account,
  edge: EdgeStep,
  serviceStackName: string,
): Promise<readonly Finding[]> {
  const outputNamesOf = async (stackName: string) => {
    const stack = await findStack(cloudFormation, stackName);
    return stack && (stack.Outputs ?? []).map(({ OutputKey = "" }) => OutputKey);
  };
  return await refuseEdgeJump(edge, serviceStackName, outputNamesOf).then(
    () => [],
    (error: unknown) => [stop(error instanceof Error ? error.message : String(error))],
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
