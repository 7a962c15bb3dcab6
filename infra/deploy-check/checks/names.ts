import { GetResourceCommand } from "@aws-sdk/client-cloudcontrol";
import type { Account } from "../account.ts";
import { type Finding, isNamed, orUnknown, stop } from "../finding.ts";
import type { WantedStack } from "../wanted.ts";

/** The property by which the Cloud Control API finds a resource of the type. */
const nameProperties: Readonly<Record<string, string | undefined>> = {
  "AWS::ApiGatewayV2::DomainName": "DomainName",
  "AWS::Backup::BackupVault": "BackupVaultName",
  "AWS::CloudWatch::CompositeAlarm": "AlarmName",
  "AWS::Events::EventBus": "Name",
  "AWS::Synthetics::Canary": "Name",
};

/** A stack that is not there yet fails where another one, or a person, has made a resource of a name that it gives. */
export async function checkNames(
  { cloudControl }: Pick<Account, "cloudControl">,
  { name: stackName, resources }: WantedStack,
): Promise<readonly Finding[]> {
  const named = resources.flatMap(({ type, properties }) => {
    const name = properties[nameProperties[type] ?? ""];
    return typeof name === "string" ? [{ TypeName: type, Identifier: name }] : [];
  });
  const found = await Promise.all(
    named.map(({ TypeName, Identifier }) =>
      orUnknown(`whether ${TypeName} ${Identifier} is there`, async () => {
        try {
          await cloudControl.send(new GetResourceCommand({ TypeName, Identifier }));
        } catch (error) {
          if (isNamed(error, "ResourceNotFoundException")) return [];
          throw error;
        }
        const sentence = `${stackName} makes ${TypeName} ${Identifier}, whose name is taken: remove that one, or choose another name for the setting deployment`;
        return [stop(sentence)];
      }),
    ),
  );
  return found.flat();
}
