import { CfnRecordSet } from "aws-cdk-lib/aws-route53";
import type { Construct } from "constructs";

export interface AliasRecordProps {
  readonly hostName: string;
  readonly hostedZoneId: string | undefined;
  readonly target: { readonly dnsName: string; readonly hostedZoneId: string };
}

export function aliasRecord(
  scope: Construct,
  id: string,
  { hostName, hostedZoneId, target }: AliasRecordProps,
): void {
  if (hostedZoneId === undefined) return;
  new CfnRecordSet(scope, id, { name: hostName, type: "A", hostedZoneId, aliasTarget: target });
}
