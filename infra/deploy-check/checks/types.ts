import { DescribeTypeCommand } from "@aws-sdk/client-cloudformation";
import type { Account } from "../account.ts";
import { type Finding, isNamed, stop } from "../finding.ts";
import type { WantedStack } from "../wanted.ts";

/** Types that CloudFormation does not know in each Region, where a template with one is refused as a whole. */
export const regionalTypes: Readonly<Record<string, string | undefined>> = {
  "AWS::Budgets::Budget": "set monthlyBudgetUsd to 0, and make the budget by hand",
};

export async function checkTypes(
  { cloudFormation }: Pick<Account, "cloudFormation">,
  { name, resources }: WantedStack,
): Promise<readonly Finding[]> {
  const wanted = [...new Set(resources.map(({ type }) => type))].filter((type) => type in regionalTypes);
  const found = await Promise.all(
    wanted.map(async (TypeName) => {
      try {
        await cloudFormation.send(new DescribeTypeCommand({ Type: "RESOURCE", TypeName }));
        return [];
      } catch (error) {
        if (!isNamed(error, "TypeNotFoundException", "CFNRegistryException")) throw error;
        return [stop(`this Region has no ${TypeName}, which ${name} makes: ${regionalTypes[TypeName]}`)];
      }
    }),
  );
  return found.flat();
}
