import { ApiMapping, DomainName, type IApi, type IStage } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { CfnRecordSet } from "aws-cdk-lib/aws-route53";
import { CfnOutput } from "aws-cdk-lib/core";
import { Construct } from "constructs";

export interface CustomDomainProps {
  readonly hostName: string;
  readonly certificateArn: string;
  readonly api: IApi;
  readonly stage: IStage;
  /** The output names the target of the host name's DNS record. */
  readonly outputName: string;
  readonly hostedZoneId: string | undefined;
}

export interface RecordTarget {
  readonly dnsName: string;
  readonly hostedZoneId: string;
}

/**
 * With a key, API Gateway would put the mapping before every path.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-mappings.html
 */
export class CustomDomain extends Construct {
  /** API Gateway serves the host name under this name of its own. */
  readonly regionalDomainName: string;
  readonly #regionalHostedZoneId: string;
  readonly #props: CustomDomainProps;

  constructor(scope: Construct, id: string, props: CustomDomainProps) {
    super(scope, id);
    this.#props = props;
    const domainName = new DomainName(this, "DomainName", {
      domainName: props.hostName,
      certificate: Certificate.fromCertificateArn(this, "Certificate", props.certificateArn),
    });
    new ApiMapping(this, "Mapping", { api: props.api, domainName, stage: props.stage });
    this.regionalDomainName = domainName.regionalDomainName;
    this.#regionalHostedZoneId = domainName.regionalHostedZoneId;
  }

  /**
   * The record keeps its logical id wherever it points: Route 53 would refuse a second one for the host name.
   *
   * @param target is the API itself without one.
   */
  addRecord(target?: RecordTarget): void {
    const { hostName, hostedZoneId, outputName } = this.#props;
    const aliasTarget = target ?? {
      dnsName: this.regionalDomainName,
      hostedZoneId: this.#regionalHostedZoneId,
    };
    if (hostedZoneId !== undefined)
      new CfnRecordSet(this, "Alias", { name: hostName, type: "A", hostedZoneId, aliasTarget });
    new CfnOutput(this, "Target", {
      description: `What the DNS alias or CNAME of ${hostName} points to.`,
      value: aliasTarget.dnsName,
    }).overrideLogicalId(outputName);
  }
}
