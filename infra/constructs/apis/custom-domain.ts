import { ApiMapping, DomainName, type IApi, type IStage } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { CfnOutput } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { aliasRecord } from "./alias-record.ts";

export interface CustomDomainProps {
  readonly hostName: string;
  readonly certificateArn: string;
  readonly api: IApi;
  readonly stage: IStage;
  /** The output names the target of the host name's DNS record. @default no output */
  readonly outputName?: string;
  readonly hostedZoneId: string | undefined;
}

/**
 * With a key, API Gateway would put the mapping before every path.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-mappings.html
 */
export class CustomDomain extends Construct {
  /** API Gateway serves the host name under this name of its own. */
  readonly regionalDomainName: string;

  constructor(scope: Construct, id: string, props: CustomDomainProps) {
    super(scope, id);
    const domainName = new DomainName(this, "DomainName", {
      domainName: props.hostName,
      certificate: Certificate.fromCertificateArn(this, "Certificate", props.certificateArn),
    });
    new ApiMapping(this, "Mapping", { api: props.api, domainName, stage: props.stage });
    this.regionalDomainName = domainName.regionalDomainName;
    if (props.outputName === undefined) return;
    const { hostName, hostedZoneId } = props;
    const { regionalDomainName: dnsName, regionalHostedZoneId } = domainName;
    const target = { dnsName, hostedZoneId: regionalHostedZoneId };
    aliasRecord(this, "Alias", { hostName, hostedZoneId, target });
    new CfnOutput(this, "Target", {
      description: `What the DNS alias or CNAME of ${props.hostName} points to.`,
      value: this.regionalDomainName,
    }).overrideLogicalId(props.outputName);
  }
}
