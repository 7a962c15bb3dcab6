import { GetResourceCommand } from "@aws-sdk/client-cloudcontrol";
import type { Account } from "../account.ts";
import { type Finding, isNamed, orUnknown, stop } from "../finding.ts";
import type { WantedStack } from "../wanted.ts";

interface NamedType {
  /** The property by which the Cloud Control API finds a resource. */
  readonly property: string;
  /** The API's handler makes these calls with the caller's own credentials, as the type's permissions list them. */
  readonly reads: readonly string[];
}

export const namedTypes: Readonly<Record<string, NamedType | undefined>> = {
  "AWS::ApiGatewayV2::DomainName": { property: "DomainName", reads: ["apigateway:GET"] },
  "AWS::Backup::BackupVault": {
    property: "BackupVaultName",
    reads: [
      "backup:DescribeBackupVault",
      "backup:GetBackupVaultAccessPolicy",
      "backup:GetBackupVaultNotifications",
      "backup:ListTags",
    ],
  },
  "AWS::CloudWatch::CompositeAlarm": {
    property: "AlarmName",
    reads: ["cloudwatch:DescribeAlarms", "cloudwatch:ListTagsForResource"],
  },
  "AWS::Events::EventBus": {
    property: "Name",
    reads: ["events:DescribeEventBus", "events:ListTagsForResource"],
  },
  "AWS::Synthetics::Canary": {
    property: "Name",
    reads: [
      "iam:ListRoles",
      "s3:GetBucketLocation",
      "s3:ListAllMyBuckets",
      "synthetics:DescribeCanaries",
      "synthetics:GetCanary",
      "synthetics:ListTagsForResource",
    ],
  },
};

/** A stack that is not there yet fails where another one, or a person, has made a resource of a name that it gives. */
export async function checkNames(
  { cloudControl }: Pick<Account, "cloudControl">,
  { name: stackName, resources }: WantedStack,
): Promise<readonly Finding[]> {
  const named = resources.flatMap(({ type, properties }) => {
    const name = properties[namedTypes[type]?.property ?? ""];
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
