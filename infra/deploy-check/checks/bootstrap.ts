import { GetParameterCommand } from "@aws-sdk/client-ssm";
import type { Account } from "../account.ts";
import { type Finding, isNamed, ok, stop } from "../finding.ts";
import type { WantedStack } from "../wanted.ts";

export async function checkBootstrap(
  { ssm }: Pick<Account, "ssm">,
  { parameter, versionMin }: WantedStack["bootstrap"],
  place: string,
): Promise<readonly Finding[]> {
  const how = `npx cdk bootstrap aws://${place}`;
  try {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: parameter }));
    const version = Number(Parameter?.Value);
    if (version >= versionMin) return [ok(`bootstrapped, version ${version}`)];
    return [stop(`the bootstrap has version ${version}, and ${versionMin} is needed: ${how}`)];
  } catch (error) {
    if (!isNamed(error, "ParameterNotFound")) throw error;
    return [stop(`nothing is bootstrapped in ${place}: ${how}`)];
  }
}
