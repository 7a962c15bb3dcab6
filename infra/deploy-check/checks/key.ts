import { GetResourceCommand } from "@aws-sdk/client-cloudcontrol";
import * as z from "zod";
import type { Account } from "../account.ts";
import { ask, type Finding, isNamed, ok, stop } from "../finding.ts";

const oneOrMany = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const Key = z.object({
  Enabled: z.boolean().default(true),
  KeyPolicy: z.object({
    Statement: z.array(
      z.object({
        Effect: z.string(),
        Principal: z.union([z.string(), z.object({ Service: oneOrMany.default([]) })]),
      }),
    ),
  }),
});

/** The Cloud Control API's handler makes these calls with the caller's own credentials, as the type's permissions list them. */
export const keyReads = [
  "kms:DescribeKey",
  "kms:GetKeyPolicy",
  "kms:GetKeyRotationStatus",
  "kms:ListResourceTags",
];

/** AWS services use the key by its policy: a log group is not made without that, and an alarm is lost in silence. */
export async function checkKey(
  { cloudControl }: Pick<Account, "cloudControl">,
  kmsKeyArn: string | undefined,
  region: string,
): Promise<readonly Finding[]> {
  if (kmsKeyArn === undefined) return [];
  const Identifier = kmsKeyArn.split("/").at(-1);
  let found: string | undefined;
  try {
    const { ResourceDescription } = await cloudControl.send(
      new GetResourceCommand({ TypeName: "AWS::KMS::Key", Identifier }),
    );
    found = ResourceDescription?.Properties;
  } catch (error) {
    if (!isNamed(error, "ResourceNotFoundException")) throw error;
    return [stop(`there is no key ${kmsKeyArn} in this account and Region`)];
  }
  const { Enabled, KeyPolicy } = Key.parse(JSON.parse(found ?? "{}"));
  if (!Enabled) return [stop(`the key ${kmsKeyArn} is disabled`)];
  const allowed = KeyPolicy.Statement.filter(({ Effect }) => Effect === "Allow").flatMap(({ Principal }) =>
    typeof Principal === "string" ? [] : Principal.Service,
  );
  const policy = 'see DEPLOY.md, "A key of your own"';
  const findings: Finding[] = [];
  const logs = `logs.${region}.amazonaws.com`;
  if (!allowed.includes(logs))
    findings.push(stop(`the policy of the key of kmsKeyArn does not let ${logs} use it: ${policy}`));
  for (const service of ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"]) {
    if (allowed.includes(service)) continue;
    findings.push(
      ask(`what ${service} says would not arrive, since the policy of the key does not let it: ${policy}`),
    );
  }
  return findings.length > 0 ? findings : [ok("the services of AWS may use the key of kmsKeyArn")];
}
