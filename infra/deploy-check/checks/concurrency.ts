import { GetAccountSettingsCommand } from "@aws-sdk/client-lambda";
import { lambdaConcurrencyDefault, unreservedMin } from "../../concurrency.ts";
import type { Account } from "../account.ts";
import { ask, type Finding, ok, stop } from "../finding.ts";
import { increaseOf, type Quota } from "./quotas.ts";

const concurrentExecutions: Quota = {
  service: "lambda",
  code: "L-B99A9384",
  name: "Concurrent executions",
};

export interface ConcurrencyInput {
  readonly lambdaConcurrency: number | undefined;
  /** The reservations of stacks that do not exist yet. */
  readonly reserving: number;
}

export async function checkConcurrency(
  { lambda }: Pick<Account, "lambda">,
  { lambdaConcurrency, reserving }: ConcurrencyInput,
): Promise<readonly Finding[]> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: all = 0, UnreservedConcurrentExecutions: unreserved = all } =
    AccountLimit ?? {};
  return [
    judgeQuota(all),
    ...judgeSetting(all, lambdaConcurrency),
    ...(reserving > 0 && unreserved - reserving < unreservedMin
      ? [
          stop(
            `the functions would reserve ${reserving} of the ${unreserved} that are not reserved yet, and AWS keeps ${unreservedMin}: set a smaller lambdaConcurrency, or ${increaseOf(concurrentExecutions, all + reserving)}`,
          ),
        ]
      : []),
  ];
}

function judgeQuota(all: number): Finding {
  if (all >= lambdaConcurrencyDefault) return ok(`${all} functions may run at once`);
  return ask(
    `${all} functions may run at once: ${increaseOf(concurrentExecutions, lambdaConcurrencyDefault)}; infra/DEPLOY.md ("Small accounts") says what is given up with less`,
  );
}

function judgeSetting(all: number, lambdaConcurrency: number | undefined): readonly Finding[] {
  if (lambdaConcurrency === undefined) {
    return [ask(`no function has a share of them, and none is bounded: set lambdaConcurrency to ${all}`)];
  }
  if (lambdaConcurrency <= all) return [];
  return [stop(`lambdaConcurrency is ${lambdaConcurrency}, and the account has ${all}: set it to ${all}`)];
}
