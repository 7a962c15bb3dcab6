import { CfnRecordSet } from "aws-cdk-lib/aws-route53";
import type { Construct } from "constructs";

export interface AliasRecordProps {
  readonly hostName: string;
  /** Where the record is made. @default nowhere: the operator makes one by hand */
  readonly hostedZoneId: string | undefined;
  /** The address that it points to, with that address's own zone. */
  readonly target: { readonly dnsName: string; readonly hostedZoneId: string };
}

/** Points a host name to one of the APIs, in a public hosted zone of Route 53 in this account. */
export function aliasRecord(
  scope: Construct,
  id: string,
  { hostName, hostedZoneId, target }: AliasRecordProps,
): void {
  if (hostedZoneId === undefined) return;
  new CfnRecordSet(scope, id, { name: hostName, type: "A", hostedZoneId, aliasTarget: target });
}
